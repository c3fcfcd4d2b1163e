import { escapeToLine } from '@gateway/service-host';
import type { ClientArguments } from '../arguments/client-arguments.ts';
import type { CliIo } from '../cli-io.ts';
import type { NameKind } from '../completion/completed-names.ts';
import { CommandFailure } from '../failure.ts';
import { similarName } from '../output/similar-name.ts';
import { readNames } from './read-names.ts';

/** A name of a command line. */
export interface GivenName {
  readonly kind: NameKind;
  readonly name: string;
}

type Place = Pick<ClientArguments, 'url' | 'toolset'>;

/** Returns a line that names the most similar name when a text says that the given one is not found; otherwise an empty text. */
export async function suggestionFor(
  text: string,
  { kind, name }: GivenName,
  { place, io }: { readonly place: Place; readonly io: CliIo },
): Promise<string> {
  if (!/\bnot found\b/u.test(text) || !text.includes(name)) return '';
  const similar = similarName(name, await readNames(kind, place, io).catch(() => []));
  return similar === undefined ? '' : `\nDid you mean ${escapeToLine(similar)}?`;
}

/** Runs a request. Its failure names the most similar name when the gateway does not find the given one. */
export async function withSuggestion<T>(
  given: GivenName,
  place: { readonly place: Place; readonly io: CliIo },
  request: () => Promise<T>,
): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    const suggestion = await suggestionFor(error.message, given, place);
    if (suggestion === '') throw error;
    throw new CommandFailure(error.ending, `${error.message}${suggestion}`, error.code);
  }
}
