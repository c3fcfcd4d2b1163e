import * as z from 'zod/mini';
import {
  HEADER_VALUE,
  HTTP_URL,
  OBJECT_KEY,
  PROCESS_TEXT,
  RESOURCE_NAME,
  type TextBounds,
  describeField,
  nameField,
} from '../fields/field-facts.ts';
import { createListField, createTextField, validateText } from '../fields/fields.ts';
import {
  MAX_HEADER_VALUE_CHARS,
  MAX_PROCESS_TEXT_CHARS,
  MAX_REFERENCES,
  MAX_SUBDOMAIN_CHARS,
  MAX_URL_CHARS,
} from '../fields/limits.ts';

/** The kinds of objects that have values for servers. */
export type ReferenceKind = 'Secret' | 'ConfigMap';

/** A key of a Secret or ConfigMap in the namespace of the server. */
export interface KeyReference {
  readonly name: string;
  readonly key: string;
  /** The server starts without the value while it does not exist. */
  readonly optional: boolean;
}

/** A variable or header of a server whose value is a key of a Secret or of a ConfigMap. */
export interface ValueReference {
  /** Name of the variable or header. */
  readonly name: string;
  readonly secretKeyRef?: KeyReference;
  readonly configMapKeyRef?: KeyReference;
}

export interface ObjectKeyReference extends KeyReference {
  readonly kind: ReferenceKind;
}

/** The text of a key that `defaultsFrom` names, or why there is none; the reason contains no value. */
export type ArgumentText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly code: 'absent' | 'unreadable'; readonly reason: string };

/**
 * The values of the references of a server. The gateway sets them; a document does not contain them. Every text is a secret, except
 * `problem`.
 */
export interface ReferenceValues {
  /** By the name of the variable or header, without prototype. Absent when the server cannot start without a value that is missing. */
  readonly values?: Readonly<Record<string, string>>;
  /** `args` with the values of their placeholders; absent without any. */
  readonly args?: readonly string[];
  /** `url` with the values of its placeholders; absent without any. */
  readonly url?: string;
  /** The values in `args` and `url`; absent without any. */
  readonly parts?: readonly string[];
  /** The values of `defaultsFrom` in `tools`, by {@link formatReference}, without prototype; absent without any. */
  readonly toolArguments?: Readonly<Record<string, ArgumentText>>;
  /** One line about a reference that has no value now; it contains no value. */
  readonly problem?: string;
}

/**
 * Returns the key that a reference names.
 *
 * @throws Error for a reference that breaks the rules
 */
export const resolveKeyReference = ({
  secretKeyRef,
  configMapKeyRef,
}: Omit<ValueReference, 'name'>): ObjectKeyReference => {
  if (secretKeyRef !== undefined) return { kind: 'Secret', ...secretKeyRef };
  if (configMapKeyRef !== undefined) return { kind: 'ConfigMap', ...configMapKeyRef };
  throw new Error('a reference got past the rules without an object');
};

/** Returns a text that identifies the key of a reference in the namespace of its server. */
export const formatReference = (reference: Omit<ValueReference, 'name'>): string => {
  const { kind, name, key } = resolveKeyReference(reference);
  return `${kind}/${name}/${key}`;
};

const createKeyReference = (name: string, kind: string) =>
  nameField(
    name,
    z.strictObject({
      name: describeField(
        `Name of the ${kind}, which is in the namespace of the MCPServer.`,
        createTextField({ min: 1, max: MAX_SUBDOMAIN_CHARS, pattern: RESOURCE_NAME }),
      ),
      key: describeField(
        `Key of the value in the ${kind}.`,
        createTextField({ min: 1, max: MAX_SUBDOMAIN_CHARS, pattern: OBJECT_KEY }),
      ),
      optional: describeField(
        `Go without the value while the ${kind} or the key does not exist.`,
        z._default(z.boolean(), false),
      ),
    }),
  );

const secretKeyRef = createKeyReference('SecretKeyRef', 'Secret');
const configMapKeyRef = createKeyReference('ConfigMapKeyRef', 'ConfigMap');

/** Returns a field of named values of Secrets and ConfigMaps. */
export const createReferenceList = (name: string, about: string, bounds: TextBounds) =>
  createListField(
    nameField(
      name,
      z.strictObject({
        name: describeField(about, createTextField({ min: 1, ...bounds })),
        secretKeyRef: describeField(
          'Key of a Secret; exactly one of secretKeyRef and configMapKeyRef is required.',
          z.exactOptional(secretKeyRef),
        ),
        configMapKeyRef: describeField(
          'Key of a ConfigMap; exactly one of secretKeyRef and configMapKeyRef is required.',
          z.exactOptional(configMapKeyRef),
        ),
      }),
    ),
    MAX_REFERENCES,
  );

/** The limits of a value are those of a value that a definition contains. */
const VALUES = {
  variable: { max: MAX_PROCESS_TEXT_CHARS, pattern: PROCESS_TEXT },
  header: { max: MAX_HEADER_VALUE_CHARS, pattern: HEADER_VALUE },
  argument: { max: MAX_PROCESS_TEXT_CHARS, pattern: PROCESS_TEXT },
  url: { max: MAX_URL_CHARS, pattern: HTTP_URL },
} as const satisfies Readonly<Record<string, TextBounds>>;

export type ValueUse = keyof typeof VALUES;

/** Returns why a text cannot be the value of a variable, header, argument or URL, "must ...", without the text; `undefined` when it can. */
export const findValueProblem = (use: ValueUse, text: string): string | undefined =>
  validateText(text, VALUES[use]);
