import {
  changedDestination,
  MAX_RESOURCE_BYTES,
  parseMcpServer,
  validationIssueText,
} from '@gateway/crd-schemas';
import { nameIssues } from '../../interpretation/name-issues.ts';
import { isMapping, type Mapping, mergePatch, parseYaml, rewriteYaml } from '@gateway/files';
import type { RestrictedWrite, ServerWriteResult } from '../../port/server-writer.ts';
import type { TextBefore } from './replace-text.ts';
import { failed, type MadeText } from './yaml-files.ts';

/** The server whose text is composed. */
export interface ServerTextRequest {
  /** The base name of the file, which must equal the name of the resource. */
  readonly name: string;
  readonly apiGroup?: string;
}

/** A server whose text is changed. */
export interface ServerPatchRequest extends ServerTextRequest {
  /** Refuse changes of where values of Secrets and ConfigMaps are sent. */
  readonly keepsDestination: boolean;
}

type Made = MadeText<ServerWriteResult>;

const refused = (reason: string): Made => ({
  ok: false,
  result: failed(`the server cannot be written: ${reason}`),
});

const issuesOf = (document: Mapping, { name, apiGroup }: ServerTextRequest): readonly string[] => {
  const parsed = parseMcpServer(document, {
    hasPlaceholders: true,
    ...(apiGroup !== undefined && { apiGroup }),
  });
  return [...nameIssues(document, name), ...(parsed.ok ? [] : parsed.issues)].map(
    validationIssueText,
  );
};

/** Validates the document and returns its text. */
const madeText = (before: string, document: Mapping, request: ServerTextRequest): Made => {
  const issues = issuesOf(document, request);
  if (issues.length > 0) return { ok: false, result: { kind: 'invalid', issues } };
  const text = rewriteYaml(before, document);
  if (text === undefined) return refused('it cannot be written as YAML with the same content');
  return Buffer.byteLength(text) > MAX_RESOURCE_BYTES
    ? refused(`it would be larger than ${String(MAX_RESOURCE_BYTES)} bytes`)
    : { ok: true, text };
};

/** Returns the text of a new file. Never throws. */
export const newServerText = (document: Mapping, request: ServerTextRequest): Made =>
  madeText('', document, request);

/** Returns the existing text with a patch merged into its `spec`. Never throws. */
export const patchedServerText = (
  before: TextBefore,
  specPatch: Mapping,
  request: ServerPatchRequest,
): MadeText<ServerWriteResult | RestrictedWrite> => {
  if (before.kind === 'unusable') return refused(`its file ${before.reason}`);
  const parsed = parseYaml(before.text);
  if (!parsed.ok || !isMapping(parsed.value)) {
    return refused('its file is not a YAML mapping; fix it by hand first');
  }
  const document = mergePatch(parsed.value, { spec: specPatch }) as Mapping;
  const field = request.keepsDestination
    ? changedDestination(parsed.value['spec'], document['spec'])
    : undefined;
  return field === undefined
    ? madeText(before.text, document, request)
    : { ok: false, result: { kind: 'restricted', field } };
};
