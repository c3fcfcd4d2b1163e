import { isMap, isNode, isScalar, type Range, type YAMLMap } from 'yaml';
import { composeYaml } from '../yaml/compose-yaml.ts';
import { printYaml } from './print-yaml.ts';

/** Where `spec` stands in a text. */
interface Place {
  /** Behind the colon of the key. */
  readonly keyEnd: number;
  readonly valueEnd: number;
}

const startsLine = (text: string, at: number): boolean => at === 0 || text[at - 1] === '\n';

const rangeOf = (node: unknown): Range | undefined =>
  isNode(node) ? (node.range ?? undefined) : undefined;

const placeIn = (text: string, root: YAMLMap): Place | undefined => {
  const pair = root.items.find(({ key }) => isScalar(key) && key.value === 'spec');
  const key = rangeOf(pair?.key);
  const value = rangeOf(pair?.value);
  if (key === undefined || value === undefined || !startsLine(text, key[0])) return undefined;
  const colon = text.indexOf(':', key[1]);
  return colon === -1 ? undefined : { keyEnd: colon + 1, valueEnd: Math.max(colon + 1, value[1]) };
};

const lineEndAfter = (text: string, at: number): number => {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
};

/** Indented comments below a value belong to it; blank lines belong to what follows. */
const restAfter = (text: string, valueEnd: number): string => {
  let at = startsLine(text, valueEnd) ? valueEnd : lineEndAfter(text, valueEnd);
  let rest = at;
  while (at < text.length) {
    const next = lineEndAfter(text, at);
    const line = text.slice(at, next);
    if (!/^\s/.test(line)) return text.slice(rest);
    at = next;
    if (line.trim() !== '') rest = next;
  }
  return text.slice(rest);
};

/** A comment behind `spec:` stays. */
const headOf = (text: string, { keyEnd }: Place): string => {
  const line = text.slice(keyEnd, lineEndAfter(text, keyEnd)).trimEnd();
  return text.slice(0, keyEnd) + (/^\s+#/.test(line) ? line : '');
};

/**
 * The text with another `spec` and not a byte changed outside of it; undefined for a text that is not a mapping in lines
 * with the key `spec`. Whoever calls reads the result back.
 */
export const replaceSpec = (text: string, spec: unknown): string | undefined => {
  const composed = composeYaml(text);
  const root = composed.ok ? composed.document.contents : undefined;
  if (!isMap(root) || root.flow === true) return undefined;
  const place = placeIn(text, root);
  if (place === undefined) return undefined;
  const printed = printYaml({ spec });
  const body = printed.slice(lineEndAfter(printed, 0));
  const next = `${headOf(text, place)}\n${body}`;
  const lines = text.includes('\r\n') ? next.replaceAll(/\r?\n/g, '\r\n') : next;
  return lines + restAfter(text, place.valueEnd);
};
