/** The reason that a rendering has no result. `at` is the position in its text, counted in characters from 0. */
export class RenderFailure {
  readonly text: string;
  readonly at: number;

  constructor(text: string, at: number) {
    this.text = text;
    this.at = at;
  }
}
