/** The fields that hold the name of a variable or a header whose value is in a field `value`. */
const NAME_FIELD = /^(?:name|key|header|variable)$/iu;
const VALUE_FIELD = /^value$/iu;
const FIRST_WORD = /^["']?([\w.-]+)/u;
/** A name after its value: `"value":"x","name":"TOKEN"`. */
const NAME_AFTER_VALUE =
  /^(?:"[^"]{0,2000}"|'[^']{0,2000}'|[^,\s]{1,2000})\s*,\s*["']?(?:name|key|header|variable)["']?\s*[:=]\s*["']?([\w.-]+)/iu;

/** The lines after a name on which its value can be. */
const LINES = 3;

/** The names of values that are written as two fields: `{"name":"TOKEN","value":"x"}`, `- name: TOKEN` and `value: x`. */
export class NamedValues {
  #name: string | undefined;
  #lines = 0;

  /** Begins a line. */
  nextLine(): void {
    if (this.#lines > LINES) this.#name = undefined;
    this.#lines += 1;
  }

  /** Returns the names of the value of a field. The rest of the line starts with the value. */
  namesOf(field: string, rest: string): readonly string[] {
    if (NAME_FIELD.test(field)) {
      this.#name = FIRST_WORD.exec(rest)?.[1];
      this.#lines = 1;
      return [field];
    }
    if (!VALUE_FIELD.test(field)) return [field];
    const names = [this.#name ?? '', NAME_AFTER_VALUE.exec(rest)?.[1] ?? ''];
    this.#name = undefined;
    return names;
  }
}
