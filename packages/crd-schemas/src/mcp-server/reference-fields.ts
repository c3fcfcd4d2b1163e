import * as z from 'zod/mini';
import { boundedText } from '../fields/bounded-text.ts';
import { described, named } from '../fields/field-facts.ts';
import type { TextBounds } from '../fields/text-bounds.ts';
import { ENV_NAME, HEADER_NAME, OBJECT_KEY, RESOURCE_NAME } from '../fields/text-pattern.ts';
import {
  MAX_ENV_NAME_CHARS,
  MAX_HEADER_NAME_CHARS,
  MAX_REFERENCES,
  MAX_SUBDOMAIN_CHARS,
} from '../resource/limits.ts';

const keyReference = (name: string, kind: string) =>
  named(
    name,
    z.strictObject({
      name: described(
        `Name of the ${kind}, which is in the namespace of the MCPServer.`,
        boundedText({ min: 1, max: MAX_SUBDOMAIN_CHARS, pattern: RESOURCE_NAME }),
      ),
      key: described(
        `Key of the value in the ${kind}.`,
        boundedText({ min: 1, max: MAX_SUBDOMAIN_CHARS, pattern: OBJECT_KEY }),
      ),
      optional: described(
        `Start the server without the value while the ${kind} or the key does not exist.`,
        z._default(z.boolean(), false),
      ),
    }),
  );

const secretKeyRef = keyReference('SecretKeyRef', 'Secret');
const configMapKeyRef = keyReference('ConfigMapKeyRef', 'ConfigMap');

const references = (name: string, about: string, bounds: TextBounds) =>
  z
    .array(
      named(
        name,
        z.strictObject({
          name: described(about, boundedText({ min: 1, ...bounds })),
          secretKeyRef: described(
            'Key of a Secret; exactly one of secretKeyRef and configMapKeyRef is required.',
            z.exactOptional(secretKeyRef),
          ),
          configMapKeyRef: described(
            'Key of a ConfigMap; exactly one of secretKeyRef and configMapKeyRef is required.',
            z.exactOptional(configMapKeyRef),
          ),
        }),
      ),
    )
    .check(z.maxLength(MAX_REFERENCES));

/** The field `spec.envFrom`. Requirements between fields are in the rules. */
export const envFrom = references('EnvFrom', 'Name of the environment variable.', {
  max: MAX_ENV_NAME_CHARS,
  pattern: ENV_NAME,
});

/** The field `spec.headersFrom`. Requirements between fields are in the rules. */
export const headersFrom = references('HeadersFrom', 'Name of the header.', {
  max: MAX_HEADER_NAME_CHARS,
  pattern: HEADER_NAME,
});

/** An entry of `spec.envFrom` or `spec.headersFrom` before the rules between fields are evaluated. */
export type ReferenceFields = z.output<typeof envFrom>[number];
