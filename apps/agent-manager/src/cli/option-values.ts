import { InvalidArgumentError } from 'commander';

const MAX_PORT = 65_535;
/** Bounds what a list of an option may hold. */
const MAX_ENTRIES = 256;

/** A function that takes a text of this form and refuses all others. */
const matching =
  (form: RegExp, explanation: string) =>
  (text: string): string => {
    if (!form.test(text)) throw new InvalidArgumentError(explanation);
    return text;
  };

/** Takes any text but an empty one. */
export const nonEmpty = matching(/\S/u, 'It must not be empty.');

/** Reads `--port`. */
export function portNumber(text: string): number {
  const value = Number(text);
  if (!/^\d{1,6}$/u.test(text) || value > MAX_PORT)
    throw new InvalidArgumentError(`It must be a whole number from 0 to ${MAX_PORT.toString()}.`);
  return value;
}

/** Reads a list `a,b`. */
export function commaList(text: string): readonly string[] {
  const entries = text.split(',').map((entry) => entry.trim());
  if (entries.includes('')) throw new InvalidArgumentError('An entry of the list is empty.');
  if (entries.length > MAX_ENTRIES)
    throw new InvalidArgumentError(`The list has more than ${MAX_ENTRIES.toString()} entries.`);
  return entries;
}

const LABEL = '[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?';
const NAMESPACE = new RegExp(`^${LABEL}$`, 'u');

/** Reads `--namespaces`: names of Kubernetes namespaces, each once. */
export function namespaceList(text: string): readonly string[] {
  const names = commaList(text);
  const wrong = names.find((name) => !NAMESPACE.test(name));
  if (wrong !== undefined)
    throw new InvalidArgumentError(`${JSON.stringify(wrong)} is no name of a namespace.`);
  if (new Set(names).size < names.length)
    throw new InvalidArgumentError('A namespace is named twice.');
  return names;
}

/** Reads `--chart-url`. */
export const chartUrl = matching(
  /^oci:\/\/[^\s/?#]+(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)+$/u,
  'It must be the address of a chart such as oci://registry.example.com/charts/agent.',
);

/** Reads `--chart-semver`: a range as Flux takes it. */
export const semverRange = matching(
  /^(?=.{1,256}$)[\s\dxX*.<>=!^~|,+a-zA-Z-]*[\dxX*][\s\dxX*.<>=!^~|,+a-zA-Z-]*$/u,
  'It must be a range of versions such as x.x.x or >=0.6.0 <1.0.0.',
);

/** Reads an interval as Flux takes it. */
export const duration = matching(
  /^(?=.{1,64}$)(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/u,
  'It must be a duration such as 10m or 1h30m.',
);

/** Reads `--service-account-name`. */
export const accountName = matching(
  new RegExp(`^(?=.{1,253}$)${LABEL}(?:\\.${LABEL})*$`, 'u'),
  'It must be the name of a ServiceAccount.',
);

/** Reads `--skills-api-url`. */
export const webAddress = matching(
  /^https?:\/\/[^\s?#@]+$/u,
  'It must be an address such as https://git.example.com/api/v3.',
);
