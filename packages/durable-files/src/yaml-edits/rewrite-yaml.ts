import { isDeepStrictEqual } from 'node:util';
import { isAlias, isMap, isNode, visit, type Document, type Node, type YAMLMap } from 'yaml';
import { composeYaml } from '../yaml/compose-yaml.ts';
import { plainValueOf } from '../yaml/plain-value.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import { isMapping, type Mapping } from './mapping.ts';
import { PRINTED, printYaml, WRITTEN_OUT } from './print-yaml.ts';
import { withSplices } from './splice.ts';
import { YamlSplicer } from './yaml-splicer.ts';

/** Edits parts of the text in place; undefined when its layout does not allow that. */
const spliced = (text: string, document: Document, wanted: Mapping): string | undefined => {
  const root = document.contents;
  if (root === null || (!isMap(root) && text.trim() === '')) return appended(text, wanted);
  if (!isMap(root)) return undefined;
  const splicer = new YamlSplicer(text, document);
  splicer.setRoot(root, wanted);
  return splicer.isStuck ? undefined : withSplices(text, splicer.splices);
};

/** Keeps a text of only comments above the new content. */
const appended = (text: string, wanted: Mapping): string =>
  text === '' || text.endsWith('\n') ? text + printYaml(wanted) : `${text}\n${printYaml(wanted)}`;

/** Expands aliases, so that each occurrence can change on its own. */
const withoutAliases = (document: Document): void => {
  visit(document, {
    Alias: (_key, alias) => {
      const copy = alias.resolve(document)?.clone() as Node | undefined;
      // The comment stays at the original only.
      if (copy !== undefined) copy.comment = null;
      return copy;
    },
  });
  visit(document, {
    Node: (_key, node) => {
      if (!isAlias(node)) delete node.anchor;
    },
  });
};

const setEach = (document: Document, map: YAMLMap, wanted: Mapping): void => {
  const before = new Map(map.items.map((pair) => [String(isNode(pair.key) ? pair.key : ''), pair]));
  for (const key of before.keys()) if (!Object.hasOwn(wanted, key)) map.delete(key);
  for (const [key, value] of Object.entries(wanted)) {
    const node = map.get(key, true);
    if (isMap(node) && isMapping(value)) setEach(document, node, value);
    else if (!isNode(node) || !isDeepStrictEqual(node.toJS(document), value)) {
      map.set(key, document.createNode(value, WRITTEN_OUT));
    }
  }
};

/** Prints the whole document, with its comments and the order of its keys. */
const reprinted = (document: Document, wanted: Mapping): string | undefined => {
  withoutAliases(document);
  if (!isMap(document.contents)) return undefined;
  setEach(document, document.contents, wanted);
  return document.toString(PRINTED);
};

const attempt = <T>(make: () => T): T | undefined => {
  try {
    return make();
  } catch {
    return undefined;
  }
};

const says = (text: string, wanted: Mapping): boolean => {
  const parsed = parseYaml(text);
  return parsed.ok && isDeepStrictEqual(parsed.value, wanted);
};

/**
 * Returns the text with another content. Bytes outside the change stay: comments, blank lines, quotes and the order of keys. A layout that
 * cannot be edited in place is printed again with its comments. The result is parsed and compared with `wanted`. Returns undefined when the
 * text is invalid YAML or no text has the wanted content. Never throws.
 *
 * @param wanted plain data, a mapping
 */
export const rewriteYaml = (text: string, wanted: Mapping): string | undefined => {
  const composed = composeYaml(text);
  const before = composed.ok ? attempt(() => plainValueOf(composed.document)) : undefined;
  if (!composed.ok || before?.ok !== true) return undefined;
  if (isDeepStrictEqual(before.value, wanted)) return text;
  const ways = [
    () => spliced(text, composed.document, wanted),
    () => reprinted(composed.document, wanted),
    () => printYaml(wanted),
    // JSON is valid YAML and preserves every string.
    () => `${JSON.stringify(wanted, null, 2)}\n`,
  ];
  for (const way of ways) {
    const result = attempt(way);
    if (result !== undefined && says(result, wanted)) return result;
  }
  return undefined;
};
