import { fieldText, type Fields } from './json-fields.ts';

const idOf = (line: Fields | undefined): number => Number(line?.['id'] ?? 0);

const isSame = (one: Fields, other: Fields): boolean =>
  fieldText(one, 'timestamp') === fieldText(other, 'timestamp') &&
  fieldText(one, 'line') === fieldText(other, 'line');

/** The position in the log lines of a server, which a gateway numbers from its start. */
export class UnprintedLines {
  #last: Fields | undefined;

  /** Returns the lines that it has not returned before. @param lines the last lines of the server, oldest first */
  take(lines: readonly Fields[]): readonly Fields[] {
    if (this.#isRestarted(lines)) this.#last = undefined;
    const after = idOf(this.#last);
    this.#last = lines.at(-1) ?? this.#last;
    return lines.filter((line) => idOf(line) > after);
  }

  /** A lower number, or another line with the number of the last one, shows that the gateway was restarted. */
  #isRestarted(lines: readonly Fields[]): boolean {
    const last = this.#last;
    if (last === undefined) return false;
    if (idOf(lines.at(-1)) < idOf(last)) return true;
    const found = lines.find((line) => idOf(line) === idOf(last));
    return found !== undefined && !isSame(found, last);
  }
}
