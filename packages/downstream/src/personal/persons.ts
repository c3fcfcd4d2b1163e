import type { Principal } from '@gateway/call-contract';
import { newPerson } from './personal-record.ts';
import type { Person } from './personal-record.ts';

/** The persons who sent requests, the one without a request for the longest time first. */
export class Persons {
  readonly #max: number;
  readonly #onForgotten: (person: Person) => void;
  readonly #byKey = new Map<string, Person>();

  /** @param onForgotten receives the persons beyond the maximum */
  constructor(max: number, onForgotten: (person: Person) => void) {
    this.#max = max;
    this.#onForgotten = onForgotten;
  }

  get(key: string): Person | undefined {
    return this.#byKey.get(key);
  }

  all(): Iterable<Person> {
    return this.#byKey.values();
  }

  /** Returns the person of a request, who becomes the latest one. */
  of(principal: Principal): Person {
    const { key } = principal;
    const person = this.#byKey.get(key) ?? newPerson(principal);
    person.principal = principal;
    this.#byKey.delete(key);
    this.#byKey.set(key, person);
    if (this.#byKey.size > this.#max) this.#forgetFirst();
    return person;
  }

  #forgetFirst(): void {
    const [first] = this.#byKey.values();
    if (first === undefined) return;
    this.#byKey.delete(first.principal.key);
    this.#onForgotten(first);
  }
}
