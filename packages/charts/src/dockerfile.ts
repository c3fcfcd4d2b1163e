/** One instruction, its continuation lines joined by spaces, as `COPY` with `--from=build / /`. */
export interface Instruction {
  readonly keyword: string;
  readonly text: string;
}

/** One stage. `base`, `ENV`, `LABEL` and `COPY` contain the defaults of `ARG`. */
export interface BuildStage {
  /** The name after `AS`; empty for a stage without one. */
  readonly name: string;
  readonly base: string;
  readonly instructions: readonly Instruction[];
}

/** A Dockerfile without heredocs and parser directives; `${NAME}` is the only substitution. */
export interface Dockerfile {
  readonly stages: readonly BuildStage[];
}

/** Parses a Dockerfile. Ignores instructions other than `ARG` before the first `FROM`. */
export function parseDockerfile(text: string): Dockerfile {
  const stages: (BuildStage & { readonly instructions: Instruction[] })[] = [];
  const globals = new Map<string, string>();
  let known = globals;
  for (const raw of parseInstructions(text)) {
    const instruction = { ...raw, text: replaceVariables(raw.text, known) };
    const stage = stages.at(-1);
    if (raw.keyword === 'FROM') {
      known = new Map(globals);
      const { base = '', name = '' } =
        /^(?<base>\S+)(?:\s+AS\s+(?<name>\S+))?$/iu.exec(instruction.text)?.groups ?? {};
      stages.push({ base, name, instructions: [] });
    } else {
      if (raw.keyword === 'ARG') storeArgument(instruction.text, known);
      stage?.instructions.push(instruction);
    }
  }
  return { stages };
}

/** Returns the texts of all instructions of one kind, in order. */
export const listInstructionTexts = (
  { instructions }: BuildStage,
  keyword: string,
): readonly string[] =>
  instructions.filter((instruction) => instruction.keyword === keyword).map(({ text }) => text);

/** Returns the words of an instruction in exec form; undefined for shell form. */
export function parseExecForm(text: string): readonly string[] | undefined {
  try {
    const words: unknown = JSON.parse(text);
    return Array.isArray(words) && words.every((word) => typeof word === 'string')
      ? words
      : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the `name=value` pairs of `ENV` and `LABEL` without quotes. */
export function parseInstructionPairs(
  stage: BuildStage,
  keyword: 'ENV' | 'LABEL',
): ReadonlyMap<string, string> {
  const pair = /(?<name>[^\s=]+)=(?:"(?<quoted>[^"]*)"|(?<plain>\S*))/gu;
  return new Map(
    listInstructionTexts(stage, keyword)
      .flatMap((text) => [...text.matchAll(pair)])
      .map(({ groups }) => [groups?.['name'] ?? '', groups?.['quoted'] ?? groups?.['plain'] ?? '']),
  );
}

/** A parsed `COPY`. */
export interface Copy {
  /** Source stage; absent for the build context. */
  readonly from?: string;
  readonly sources: readonly string[];
  readonly target: string;
}

/** Parses a `COPY`. */
export function parseCopy(text: string): Copy {
  const words = text.split(/\s+/u);
  const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length);
  const paths = words.filter((word) => !word.startsWith('--'));
  return {
    ...(from !== undefined && { from }),
    sources: paths.slice(0, -1),
    target: paths.at(-1) ?? '',
  };
}

function parseInstructions(text: string): readonly Instruction[] {
  const found: Instruction[] = [];
  const parts: string[] = [];
  for (const line of text.split('\n')) {
    if (/^\s*(#|$)/u.test(line)) continue;
    parts.push(line.replace(/\\\s*$/u, '').trim());
    if (/\\\s*$/u.test(line)) continue;
    const { keyword = '', rest = '' } =
      /^(?<keyword>\S+)\s*(?<rest>.*)$/u.exec(parts.splice(0).join(' '))?.groups ?? {};
    found.push({ keyword: keyword.toUpperCase(), text: rest });
  }
  return found;
}

function storeArgument(text: string, known: Map<string, string>): void {
  const { name = '', value } = /^(?<name>\w+)(?:=(?<value>.*))?$/u.exec(text)?.groups ?? {};
  if (value !== undefined) known.set(name, value);
}

const replaceVariables = (text: string, known: ReadonlyMap<string, string>): string =>
  text.replaceAll(/\$\{(?<name>\w+)\}/gu, (whole, name: string) => known.get(name) ?? whole);

/** The patterns of a `.dockerignore`, without comments. */
export const ignorePatterns = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

/**
 * Returns whether a pattern excludes a file of the build context or one of its folders. Supports `*`, `**` and literals; no exceptions (`!`).
 */
export function isIgnored(path: string, patterns: readonly string[]): boolean {
  const steps = path.split('/');
  const prefixes = steps.map((_, index) => steps.slice(0, index + 1).join('/'));
  return patterns
    .map(compilePattern)
    .some((expression) => prefixes.some((at) => expression.test(at)));
}

const compilePattern = (pattern: string): RegExp => {
  const parts = pattern.split(/(\*\*\/|\*)/u).map((part) => {
    if (part === '**/') return '(?:.*/)?';
    return part === '*' ? '[^/]*' : part.replaceAll(/[.+?^${}()|[\]\\]/gu, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`, 'u');
};
