import { isMap, isNode, isScalar, type YAMLMap } from 'yaml';
import { composeYaml, printYaml } from '@gateway/files';

const lineEndAfter = (text: string, at: number): number => {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
};

/** Returns the offset after the colon of the key `spec`; undefined when the key does not start a line. */
const keyEndIn = (text: string, root: YAMLMap): number | undefined => {
  const key = root.items
    .map((pair) => pair.key)
    .find((node) => isScalar(node) && node.value === 'spec');
  const [start, end] = (isNode(key) && key.range) || [];
  if (start === undefined || end === undefined) return undefined;
  const colon = text.indexOf(':', end);
  const startsLine = start === 0 || text[start - 1] === '\n';
  return startsLine && colon !== -1 ? colon + 1 : undefined;
};

/** Returns the text after the value: the value ends before the first line that is not indented, and before the blank lines in front of it. */
const restAfter = (text: string, keyEnd: number): string => {
  let at = lineEndAfter(text, keyEnd);
  let rest = at;
  while (at < text.length) {
    const next = lineEndAfter(text, at);
    const line = text.slice(at, next);
    if (!/^\s/.test(line)) break;
    at = next;
    if (line.trim() !== '') rest = next;
  }
  return text.slice(rest);
};

/** Returns the text up to the value, with the comment in the line of `spec:`. */
const headOf = (text: string, keyEnd: number): string => {
  const line = text.slice(keyEnd, lineEndAfter(text, keyEnd)).trimEnd();
  return text.slice(0, keyEnd) + (/^\s+#/.test(line) ? line : '');
};

/**
 * Returns the text with another `spec` and no byte changed outside of it; undefined for a text that is not a block mapping with the key
 * `spec`. The caller must parse the result and compare it.
 */
export const replaceSpec = (text: string, spec: unknown): string | undefined => {
  const composed = composeYaml(text);
  const root = composed.ok ? composed.document.contents : undefined;
  if (!isMap(root) || root.flow === true) return undefined;
  const keyEnd = keyEndIn(text, root);
  if (keyEnd === undefined) return undefined;
  const printed = printYaml({ spec });
  const body = printed.slice(lineEndAfter(printed, 0));
  const next = `${headOf(text, keyEnd)}\n${body}`;
  const lines = text.includes('\r\n') ? next.replaceAll(/\r?\n/g, '\r\n') : next;
  return lines + restAfter(text, keyEnd);
};
