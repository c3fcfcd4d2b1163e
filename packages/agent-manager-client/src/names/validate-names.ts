import { MAX_NAME_CHARS } from '../limits.ts';
import { formatQuotedName } from '../refusals/refusal.ts';

/** Syntax of a DNS-1123 label, without its length. */
export const NAME_PATTERN = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;

const isBlank = (text: string | undefined): boolean => text === undefined || text.trim() === '';

/**
 * Returns why a name of an agent is refused, or `undefined`. Length is checked before syntax.
 *
 * @spec §4.4
 */
export const validateName = (name: string | undefined): string | undefined => {
  if (name === undefined || isBlank(name)) return 'name is required';
  if (name.length > MAX_NAME_CHARS)
    return `name ${formatQuotedName(name)} is longer than ${MAX_NAME_CHARS} characters`;
  return NAME_PATTERN.test(name)
    ? undefined
    : `name ${formatQuotedName(name)} must be a DNS-1123 label: lowercase letters, digits and '-', starting and ending alphanumeric`;
};

const MAX_OBJECT_NAME_CHARS = 253;
const SUBDOMAIN = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;

const isSubdomain = (name: string): boolean =>
  name.length <= MAX_OBJECT_NAME_CHARS && SUBDOMAIN.test(name);

/** Returns why a text is not a Kubernetes object name; `undefined` for a valid or a blank text. */
export const validateObjectName = (field: string, name: string | undefined): string | undefined =>
  name === undefined || isBlank(name) || isSubdomain(name)
    ? undefined
    : `${field} ${formatQuotedName(name)} must be a DNS-1123 subdomain: at most ${MAX_OBJECT_NAME_CHARS} lowercase letters, digits, '-' and '.', starting and ending alphanumeric`;

/** Returns why the name of a model configuration is refused, or `undefined`. Does not check its existence. */
export const validateModelConfig = (modelConfig: string | undefined): string | undefined =>
  isBlank(modelConfig) ? 'modelConfig is required' : validateObjectName('modelConfig', modelConfig);

const MAX_LABEL_CHARS = 63;
const LABEL = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const MAX_ANNOTATION_BYTES = 262_144;

const LABEL_RULE = `at most ${MAX_LABEL_CHARS} letters, digits, '-', '_' and '.', starting and ending alphanumeric`;

const isLabel = (text: string): boolean => text.length <= MAX_LABEL_CHARS && LABEL.test(text);

/** Returns whether a text is a metadata key: a name with an optional domain prefix. */
const isMetadataKey = (key: string): boolean => {
  const at = key.indexOf('/');
  return at === -1 ? isLabel(key) : isSubdomain(key.slice(0, at)) && isLabel(key.slice(at + 1));
};

type Texts = Readonly<Record<string, string>>;

const validateMetadataKeys = (field: string, texts: Texts): string | undefined => {
  const key = Object.keys(texts).find((text) => !isMetadataKey(text));
  return key === undefined
    ? undefined
    : `${field} key ${formatQuotedName(key)} must be a name of ${LABEL_RULE}, with or without a DNS-1123 subdomain and '/' before it`;
};

const validateLabelValues = (labels: Texts): string | undefined => {
  const [key, value] =
    Object.entries(labels).find(([, text]) => text !== '' && !isLabel(text)) ?? [];
  return key === undefined || value === undefined
    ? undefined
    : `labels ${formatQuotedName(key)} value ${formatQuotedName(value)} must be empty, or ${LABEL_RULE}`;
};

const validateAnnotationSize = (annotations: Texts): string | undefined => {
  const text = Object.entries(annotations).flat().join('');
  return new TextEncoder().encode(text).length > MAX_ANNOTATION_BYTES
    ? `annotations have more than ${MAX_ANNOTATION_BYTES} bytes`
    : undefined;
};

/** Returns why a cluster would refuse the labels and annotations, or `undefined`. */
export const validateMetadata = ({
  labels = {},
  annotations = {},
}: {
  readonly labels?: Texts | undefined;
  readonly annotations?: Texts | undefined;
}): string | undefined =>
  validateMetadataKeys('labels', labels) ??
  validateLabelValues(labels) ??
  validateMetadataKeys('annotations', annotations) ??
  validateAnnotationSize(annotations);
