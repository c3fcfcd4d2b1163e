import { InvalidArgumentError } from 'commander';

const MAX_PORT = 65_535;
/** Largest number of entries in the list of an option. */
const MAX_ENTRIES = 256;

/** Returns a parser that accepts text of this form and refuses all others. */
const matching =
  (form: RegExp, explanation: string) =>
  (text: string): string => {
    if (!form.test(text)) throw new InvalidArgumentError(explanation);
    return text;
  };

/** Accepts any text that is not empty. */
export const nonEmpty = matching(/\S/u, 'It must not be empty.');

/** Parses `--port`. */
export function portNumber(text: string): number {
  const value = Number(text);
  if (!/^\d{1,6}$/u.test(text) || value > MAX_PORT)
    throw new InvalidArgumentError(`It must be a whole number from 0 to ${MAX_PORT.toString()}.`);
  return value;
}

/** Parses a list `a,b`. */
export function commaList(text: string): readonly string[] {
  const entries = text.split(',').map((entry) => entry.trim());
  if (entries.includes('')) throw new InvalidArgumentError('An entry of the list is empty.');
  if (entries.length > MAX_ENTRIES)
    throw new InvalidArgumentError(`The list has more than ${MAX_ENTRIES.toString()} entries.`);
  return entries;
}

const LABEL = '[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?';
const NAMESPACE = new RegExp(`^${LABEL}$`, 'u');

/** Parses `--namespaces`: names of Kubernetes namespaces, each once. */
export function namespaceList(text: string): readonly string[] {
  const names = commaList(text);
  const wrong = names.find((name) => !NAMESPACE.test(name));
  if (wrong !== undefined)
    throw new InvalidArgumentError(`${JSON.stringify(wrong)} is not a valid namespace name.`);
  if (new Set(names).size < names.length)
    throw new InvalidArgumentError('A namespace is listed twice.');
  return names;
}

/** Parses `--chart-url`. */
export const chartUrl = matching(
  /^oci:\/\/[^\s/?#]+(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)+$/u,
  'It must be the address of a chart such as oci://registry.example.com/charts/agent.',
);

/** Parses `--chart-semver`: a version range in the syntax of Flux. */
export const semverRange = matching(
  /^(?=.{1,256}$)[\s\dxX*.<>=!^~|,+a-zA-Z-]*[\dxX*][\s\dxX*.<>=!^~|,+a-zA-Z-]*$/u,
  'It must be a range of versions such as x.x.x or >=0.6.0 <1.0.0.',
);

/** Parses an interval in the syntax of Flux. */
export const duration = matching(
  /^(?=.{1,64}$)(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/u,
  'It must be a duration such as 10m or 1h30m.',
);

/** Parses `--service-account-name`. */
export const accountName = matching(
  new RegExp(`^(?=.{1,253}$)${LABEL}(?:\\.${LABEL})*$`, 'u'),
  'It must be the name of a ServiceAccount.',
);

/** Parses `--skills-api-url`. */
export const webAddress = matching(
  /^https?:\/\/[^\s?#@]+$/u,
  'It must be an address such as https://git.example.com/api/v3.',
);
