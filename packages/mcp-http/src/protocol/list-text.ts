import type { JsonObject } from '@gateway/call-contract';
import { listedEntry } from './listed-entry.ts';
import type { ListMethod } from './mcp-service.ts';
import type { Era } from './protocol-results.ts';
import { resultText, type ResultStamp } from './result-text.ts';

/** The member of its result that carries the items of a list. */
export const LIST_MEMBER: Readonly<Record<ListMethod, string>> = {
  'tools/list': 'tools',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'prompts/list': 'prompts',
};

/** Returns the result of a list method with its items as the revisions of an era permit them. */
export const listResult = (
  method: ListMethod,
  items: readonly JsonObject[],
  era: Era,
): JsonObject => ({
  [LIST_MEMBER[method]]: items.map((item) => listedEntry(method, item, era)),
});

type Texts = Partial<Record<Era, string>>;

/** The results of list methods as JSON, serialised once for as long as the service returns the same arrays. */
export class ListTexts {
  readonly #stamp: ResultStamp;
  readonly #kept: Readonly<Record<ListMethod, WeakMap<readonly JsonObject[], Texts>>> = {
    'tools/list': new WeakMap(),
    'resources/list': new WeakMap(),
    'resources/templates/list': new WeakMap(),
    'prompts/list': new WeakMap(),
  };

  /** @param stamp the members of a list of 2026-07-28 other than its items */
  constructor(stamp: ResultStamp) {
    this.#stamp = stamp;
  }

  /** The result of a list method as JSON. */
  text(method: ListMethod, items: readonly JsonObject[], era: Era): string {
    const kept = this.#kept[method];
    let texts = kept.get(items);
    if (texts === undefined) {
      texts = {};
      kept.set(items, texts);
    }
    return (texts[era] ??= this.#write(method, items, era));
  }

  #write(method: ListMethod, items: readonly JsonObject[], era: Era): string {
    const result = listResult(method, items, era);
    return resultText(result, era === 'modern' ? this.#stamp : undefined);
  }
}
