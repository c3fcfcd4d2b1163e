import { fieldText, type Fields } from './json-fields.ts';

/** Most events of one second that are remembered: no answer of a gateway has more. */
const MAX_REMEMBERED = 1_000;

/** The time of an event, in UTC and in whole seconds. */
const TIMESTAMP = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/u;

/** The count is no part of it: a gateway aggregates identical events later. */
const keyOf = (event: Fields): string =>
  JSON.stringify(
    ['type', 'resource_type', 'namespace', 'resource_name', 'reason', 'message'].map((name) =>
      fieldText(event, name),
    ),
  );

/** The events of the newest second that were printed, to continue after them. */
export class PrintedEvents {
  #newest = '';
  readonly #keys = new Set<string>();

  add(event: Fields): void {
    const time = fieldText(event, 'timestamp');
    if (!TIMESTAMP.test(time) || time < this.#newest) return;
    if (time > this.#newest) this.#keys.clear();
    this.#newest = time;
    this.#keys.add(keyOf(event));
    const [oldest] = this.#keys;
    if (this.#keys.size > MAX_REMEMBERED && oldest !== undefined) this.#keys.delete(oldest);
  }

  /** Returns whether the event was printed, as one occurrence or within a count. */
  has(event: Fields): boolean {
    return fieldText(event, 'timestamp') === this.#newest && this.#keys.has(keyOf(event));
  }

  /** Returns the time of the newest event as RFC 3339 text. The events of its second may have been printed. */
  since(): string | undefined {
    return this.#newest === '' ? undefined : `${this.#newest.replace(' ', 'T')}Z`;
  }
}
