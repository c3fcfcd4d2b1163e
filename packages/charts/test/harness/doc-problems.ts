import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { blocksOf, fileNameOf, helmCommands, type Block } from './doc-blocks.ts';
import { runCommand, type CommandRun } from './doc-commands.ts';

const OUTPUT = '# output\n';
const ERROR = 'Error:';

/** Pages are formatted with single quotes, templates write double ones. */
const comparable = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) =>
      line
        .replace(/^[\s-]+/u, '')
        .trimEnd()
        .replaceAll("'", '"'),
    )
    .filter((line) => line !== '');

/** Returns the first shown line that does not follow in the output. */
const missingLine = (shown: string, output: string): string | undefined => {
  const lines = comparable(output);
  let at = 0;
  return comparable(shown).find((line) => {
    if (line === '...') return false;
    at = lines.indexOf(line, at) + 1;
    return at === 0;
  });
};

interface Ran {
  readonly command: string;
  readonly run: CommandRun;
}

const isError = ({ language, text, followsBlock }: Block): boolean =>
  followsBlock && language === 'text' && text.startsWith(ERROR);

const isOutput = ({ language, text, followsBlock }: Block): boolean =>
  followsBlock && language === 'yaml' && text.startsWith(OUTPUT);

const unlike = (block: Block, { command, run }: Ran): string | undefined => {
  if (isError(block)) {
    const expected = block.text.slice(ERROR.length).trim();
    if (run.ok) return `${command}: is not refused`;
    return run.output.includes(expected)
      ? undefined
      : `${command}: is refused otherwise: ${run.output}`;
  }
  if (!isOutput(block)) return undefined;
  const line = missingLine(block.text.slice(OUTPUT.length), run.output);
  return line === undefined ? undefined : `${command}: does not print ${line}`;
};

const runAll = async (block: Block, folder: string): Promise<readonly Ran[]> => {
  const ran: Ran[] = [];
  for (const words of helmCommands(block))
    ran.push({ command: `helm ${words.join(' ')}`, run: await runCommand(words, folder) });
  return ran;
};

/** All commands of a block must succeed, except a last one with a documented refusal. */
const commandProblems = async (
  block: Block,
  next: Block | undefined,
  folder: string,
): Promise<readonly string[]> => {
  const ran = await runAll(block, folder);
  const last = ran.at(-1);
  const isRefusalShown = next !== undefined && isError(next);
  const failed = ran
    .filter(({ run }) => !run.ok)
    .filter((one) => !(isRefusalShown && one === last))
    .map(({ command, run }) => `${command}: ${run.output.trim()}`);
  const different = next === undefined || last === undefined ? undefined : unlike(next, last);
  return different === undefined ? failed : [...failed, different];
};

const yamlProblems = (blocks: readonly Block[]): readonly string[] =>
  blocks
    .filter(({ language }) => language === 'yaml')
    .flatMap(({ text }) => parseAllDocuments(text).flatMap(({ errors }) => errors))
    .map(({ message }) => message);

const fileProblems = (blocks: readonly Block[]): readonly string[] => {
  const names = blocks.map(fileNameOf).filter((name) => name !== undefined);
  const used = new Set(blocks.flatMap((block) => helmCommands(block).flat()));
  return [
    ...names.filter((name, at) => names.indexOf(name) !== at).map((name) => `${name} stands twice`),
    ...names.filter((name) => !used.has(name)).map((name) => `no command uses ${name}`),
  ];
};

/**
 * Returns the problems of a page: unused files, failing commands, different outputs.
 *
 * - A `yaml` block whose first line is `# <name>.yaml` is a file of an empty folder. A command of the page must use it.
 * - Of an `sh` block each line that starts with `helm install`, `upgrade`, `template`, `lint` or `show` is run, the first two as
 *   `helm template`; a line ending in `\` goes on. Charts are named `oci://registry.gateway.internal/charts/<chart>` or
 *   `packages/charts/dist/<chart>-<version>.tgz`; `--version` must be the version of the chart; ` > file` and ` | program` are left out.
 * - A `yaml` block with `# output` directly after it: every line must be in the output of the last command, in this order, without
 *   leading spaces, dashes and kinds of quotes. `...` is left out.
 * - A `text` block directly after it that starts with `Error:`: the last command must fail with this text.
 * - Any other `yaml` block must parse.
 */
export const pageProblems = async (page: string): Promise<readonly string[]> => {
  const blocks = blocksOf(page);
  const folder = await mkdtemp(join(tmpdir(), 'charts-docs-'));
  try {
    for (const block of blocks) {
      const name = fileNameOf(block);
      if (name !== undefined) await writeFile(join(folder, name), block.text);
    }
    const problems = [...fileProblems(blocks), ...yamlProblems(blocks)];
    for (const [at, block] of blocks.entries())
      problems.push(...(await commandProblems(block, blocks[at + 1], folder)));
    return problems;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
