import type { JsonObject } from '@gateway/call-contract';
import { DEFAULT_API_GROUP } from '@gateway/crd-schemas';
import type { CoreCallContext, CoreToolPorts, ServerView } from '../tool/ports.ts';

/** A longer subject is not recorded: a part of it would name another person. */
const MAX_SUBJECT_CHARS = 1024;

type ApiGroup = Pick<CoreToolPorts, 'apiGroup'>;

/** Returns the annotation that records who created a server. No argument of a tool sets it, and updates preserve it. */
const annotationOf = ({ apiGroup = DEFAULT_API_GROUP }: ApiGroup): string =>
  `${apiGroup}/registered-by`;

/** Returns the annotations of a server that a caller creates: none where callers do not sign in. */
export const registrationOf = (ports: ApiGroup, { principal }: CoreCallContext): JsonObject => {
  if (principal?.issuer === undefined || principal.subject.length > MAX_SUBJECT_CHARS) return {};
  return { annotations: { [annotationOf(ports)]: principal.subject } };
};

/** Returns the subject who created a server, as far as it is recorded. */
export const registeredBy = (
  ports: ApiGroup,
  { definition: { metadata } }: ServerView,
): JsonObject => {
  const { annotations = {} } = metadata;
  const name = annotationOf(ports);
  return Object.hasOwn(annotations, name) ? { registeredBy: annotations[name] } : {};
};
