import { matchAt } from './match-at.ts';
import type { PathStep } from '../tree/path.ts';
import { readQuoted } from './read-quoted.ts';

const INDEX = /\[(\d{1,15})\]/y;

/** A step in brackets that was read, with the place behind it; or what is wrong with it. */
export type ReadBracket =
  | { readonly ok: true; readonly step: PathStep; readonly end: number }
  | { readonly ok: false; readonly kind: 'unterminated' }
  | { readonly ok: false; readonly kind: 'invalid'; readonly index: string };

const quotedKey = (text: string, at: number): ReadBracket | undefined => {
  if (text[at + 1] !== '"' && text[at + 1] !== "'") return undefined;
  const quoted = readQuoted(text, at + 1);
  if (!quoted.ok || text[quoted.end] !== ']') return undefined;
  return { ok: true, step: { kind: 'key', key: quoted.value }, end: quoted.end + 1 };
};

/** Reads `[0]`, `["key"]` or `['key']`; `at` is the place of the bracket. */
export const readBracket = (text: string, at: number): ReadBracket => {
  const index = matchAt(INDEX, text, at)?.[1];
  if (index !== undefined) {
    return {
      ok: true,
      step: { kind: 'index', index: Number(index) },
      end: at + index.length + 2,
    };
  }
  const quoted = quotedKey(text, at);
  if (quoted !== undefined) return quoted;
  const close = text.indexOf(']', at);
  if (close === -1) return { ok: false, kind: 'unterminated' };
  return { ok: false, kind: 'invalid', index: text.slice(at + 1, close).slice(0, 64) };
};

/** Returns the reason that a step in brackets cannot be read. */
export const bracketText = (refusal: Extract<ReadBracket, { ok: false }>): string =>
  refusal.kind === 'unterminated' ? 'unterminated index' : `invalid array index "${refusal.index}"`;
