import type { Result } from './result.ts';
import { trimBlanks } from './trim-blanks.ts';

/** The four forms of an inline selector. @spec §2.1 */
export type SelectorKind = 'preset' | 'server' | 'workflow' | 'tool';

/** One inline selector, parsed. `text` is the selector as given, trimmed. @spec §2.1 */
export interface Selector {
  readonly kind: SelectorKind;
  readonly name: string;
  readonly text: string;
}

/** The reason why a text is not an inline selector. `selector` is the trimmed text. @spec §7.1 */
export interface SelectorError {
  readonly code: 'toolset.reserved' | 'toolset.label' | 'toolset.malformed';
  readonly selector: string;
}

/** The outcome of parsing one selector. A refusal is a value. @spec §2.1 */
export type ParsedSelector = Result<Selector, SelectorError>;

type Form = { readonly accepted: SelectorKind } | { readonly refused: SelectorError['code'] };

/** The prefixes before the first colon. Every other prefix is malformed. */
const FORMS: ReadonlyMap<string, Form> = new Map<string, Form>([
  ['preset', { accepted: 'preset' }],
  ['server', { accepted: 'server' }],
  ['workflow', { accepted: 'workflow' }],
  ['tool', { accepted: 'tool' }],
  ['toolset', { refused: 'toolset.reserved' }],
  ['label', { refused: 'toolset.label' }],
]);

const MALFORMED: Form = { refused: 'toolset.malformed' };

/**
 * A comma, or what `\s` means to Go's regular expressions. The agent chart checks the same grammar in Go,
 * where neither a vertical tab nor a Unicode space is whitespace.
 */
const NEVER_IN_A_NAME = /[\t\n\f\r ,]/;

const isName = (text: string): boolean => text !== '' && !NEVER_IN_A_NAME.test(text);

/**
 * Parses one inline selector, `^(preset|server|workflow|tool):[^\s,]+$` once trimmed. Never throws.
 * `toolset:` and `label:` have their own refusals, regardless of the text after the colon.
 *
 * @spec §2.1, §7.1
 */
export const parseSelector = (input: string): ParsedSelector => {
  const text = trimBlanks(input);
  const colon = text.indexOf(':');
  const form = (colon === -1 ? undefined : FORMS.get(text.slice(0, colon))) ?? MALFORMED;
  if ('refused' in form) return { ok: false, error: { code: form.refused, selector: text } };
  const name = text.slice(colon + 1);
  return isName(name)
    ? { ok: true, value: { kind: form.accepted, name, text } }
    : { ok: false, error: { code: 'toolset.malformed', selector: text } };
};
