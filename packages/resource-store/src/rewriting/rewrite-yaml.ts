import { isDeepStrictEqual } from 'node:util';
import { isAlias, isMap, isNode, visit, type Document, type Node, type YAMLMap } from 'yaml';
import { composeYaml } from '../yaml/compose-yaml.ts';
import { plainValueOf } from '../yaml/plain-value.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import { isMapping, type Mapping } from './mapping.ts';
import { PRINTED, printYaml, WRITTEN_OUT } from './print-yaml.ts';
import { withSplices } from './splice.ts';
import { YamlSplicer } from './yaml-splicer.ts';

/** Changes pieces of the text; undefined where it is written in a way that has no such pieces. */
const spliced = (text: string, document: Document, wanted: Mapping): string | undefined => {
  const root = document.contents;
  if (root === null || (!isMap(root) && text.trim() === '')) return appended(text, wanted);
  if (!isMap(root)) return undefined;
  const splicer = new YamlSplicer(text, document);
  splicer.setRoot(root, wanted);
  return splicer.isStuck ? undefined : withSplices(text, splicer.splices);
};

/** A text of comments alone stays above. */
const appended = (text: string, wanted: Mapping): string =>
  text === '' || text.endsWith('\n') ? text + printYaml(wanted) : `${text}\n${printYaml(wanted)}`;

/** Writes out what is referred to, so that either place can change without the other. */
const withoutAliases = (document: Document): void => {
  visit(document, {
    Alias: (_key, alias) => {
      const copy = alias.resolve(document)?.clone() as Node | undefined;
      // The comment stands once, where the original is.
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

/** Prints the whole document anew, with its comments and the order of its keys. */
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
 * The text with another content: every byte stays that has no part in what changed, with comments, blank lines, quotes
 * and the order of keys. Where the text is written in a way that cannot be followed, its layout goes and comments stay. The result was read
 * back and says what is wanted; undefined when the text is no YAML, or nothing says it. Never throws.
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
    // JSON is YAML too, and writes every text so that it comes back as it was.
    () => `${JSON.stringify(wanted, null, 2)}\n`,
  ];
  for (const way of ways) {
    const result = attempt(way);
    if (result !== undefined && says(result, wanted)) return result;
  }
  return undefined;
};
