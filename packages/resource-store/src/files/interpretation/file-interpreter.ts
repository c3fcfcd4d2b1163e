import { setImmediate as otherWork } from 'node:timers/promises';
import {
  parseYaml,
  type DocumentPath,
  type ParsedYaml,
  type Position,
  type YamlAnswer,
} from '@gateway/files';
import { interpretFile, interpretParsed, type FileText, type NamedFile } from './interpret-file.ts';
import { MAX_BUSY_MS, MIN_LARGE_CHARS } from './limits.ts';
import type { Outcome } from './outcome.ts';

/** Parses a text in another process, and finds the positions of paths in it. Never rejects. */
export type ParseElsewhere = (text: string, paths?: readonly DocumentPath[]) => Promise<YamlAnswer>;

const START: Position = { line: 1, column: 1 };

const parsedWith = (answer: YamlAnswer, locate: (path: DocumentPath) => Position): ParsedYaml =>
  answer.ok ? { ok: true, value: answer.value, locate } : answer;

/** Returns positions that are found when the first one is needed, after the file was read: those of the configuration. */
const lazyPositions = (text: string): ((path: DocumentPath) => Position) => {
  let parsed: ParsedYaml | undefined;
  return (path) => {
    parsed ??= parseYaml(text);
    return parsed.ok ? parsed.locate(path) : START;
  };
};

/**
 * Parses and validates files one after the other, with pauses for other work. A large text is parsed elsewhere, if there is such a place;
 * it is parsed again for the positions of its problems.
 */
export class FileInterpreter {
  readonly #apiGroup: string | undefined;
  readonly #parse: ParseElsewhere | undefined;
  #busySince = 0;

  constructor(apiGroup: string | undefined, parse: ParseElsewhere | undefined) {
    this.#apiGroup = apiGroup;
    this.#parse = parse;
  }

  /** Returns the outcome of a file. Never rejects. */
  async interpret(named: NamedFile, file: FileText): Promise<Outcome> {
    const parse = this.#parse;
    if (parse === undefined || file.text.length < MIN_LARGE_CHARS) {
      await this.#pause();
      return interpretFile(named, file, this.#apiGroup);
    }
    const answer = await parse(file.text);
    this.#busySince = 0;
    if (named.role.kind === 'Configuration')
      return this.#validated(named, file, parsedWith(answer, lazyPositions(file.text)));
    const paths: DocumentPath[] = [];
    const outcome = this.#validated(
      named,
      file,
      parsedWith(answer, (path) => {
        paths.push(path);
        return START;
      }),
    );
    if (paths.length === 0) return outcome;
    const located = await parse(file.text, paths);
    const positions = located.ok ? located.positions : [];
    let next = 0;
    return this.#validated(
      named,
      file,
      parsedWith(located, () => positions[next++] ?? START),
    );
  }

  #validated(named: NamedFile, file: FileText, parsed: ParsedYaml): Outcome {
    return interpretParsed(named, file, parsed, this.#apiGroup);
  }

  /** Lets other work run when files were interpreted for a while. */
  async #pause(): Promise<void> {
    if (performance.now() - this.#busySince < MAX_BUSY_MS) return;
    await otherWork();
    this.#busySince = performance.now();
  }
}
