import { tooLarge } from '../definition/budget.ts';
import { entryIn, type FunctionEntries } from '../definition/function-entry.ts';
import { FunctionFailure, type TemplateFunction } from '../../values/template-value.ts';
import { sprint } from './sprint.ts';

const HTML: Readonly<Record<string, string>> = {
  '\0': '\ufffd',
  '"': '&#34;',
  "'": '&#39;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
};
const HTML_SPECIAL = /[\0"'&<>]/g;

const JS: Readonly<Record<string, string>> = { '\\': '\\\\', "'": "\\'", '"': '\\"' };
const JS_SPECIAL = /[\\'"<>&=]|(?!\u007f)\p{C}|(?! )\p{Z}/gu;

const jsEscape = (char: string): string =>
  JS[char] ??
  Array.from(
    { length: char.length },
    (_unused, at) => `\\u${char.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0')}`,
  ).join('');

const LONE_SURROGATE = /\p{Cs}/gu;
const QUERY_SPECIAL = /[!'()*]/g;

const queryEscape = (text: string): string =>
  encodeURIComponent(text.replace(LONE_SURROGATE, '\ufffd'))
    .replace(QUERY_SPECIAL, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');

const LARGEST_GROWTH = 9;

const escaping =
  (escape: (text: string) => string): TemplateFunction =>
  (args, context) => {
    const text = sprint(args, context);
    if (text instanceof FunctionFailure) return text;
    if (!context.spend(text.length * LARGEST_GROWTH)) return tooLarge();
    return escape(text);
  };

const entry = entryIn('Escaping');

/** Go's functions that escape. */
export const ESCAPING_FUNCTIONS = {
  html: entry(
    escaping((text) => text.replace(HTML_SPECIAL, (char) => HTML[char] ?? char)),
    'html value…',
    'The printed values, safe inside HTML.',
    ['{{ html "<a>" }}', '&lt;a&gt;'],
  ),
  js: entry(
    escaping((text) => text.replace(JS_SPECIAL, jsEscape)),
    'js value…',
    'The printed values, safe inside a string of JavaScript.',
    [String.raw`{{ js "it's" }}`, String.raw`it\'s`],
  ),
  urlquery: entry(
    escaping(queryEscape),
    'urlquery value…',
    'The printed values, safe as a value of a URL query.',
    ['{{ urlquery "a b&c" }}', 'a+b%26c'],
  ),
} as const satisfies FunctionEntries;
