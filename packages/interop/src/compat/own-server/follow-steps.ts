import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@gateway/test-peers';
import type { DocumentedStep } from './documented-steps.ts';
import type { Shell } from './shell.ts';

const WITHIN_MS = 60_000;
const PAUSE_MS = 50;
const USUAL = 'http://127.0.0.1:8090';
const LOG = 'serve.log';

/** A command of the page, and what it printed. */
export interface FollowedStep {
  readonly command: string;
  readonly output: string;
  readonly processorSeconds: number;
}

/** How the steps of the page are followed. */
export interface FollowOptions {
  readonly shell: Shell;
  /** The folder that the page calls `my-gateway`, once its command has created it. */
  readonly folder: string;
  /** Called after each step that runs a command. */
  readonly onStep?: (step: FollowedStep) => void;
}

/**
 * Does what the page says: files are saved, commands run. The gateway gets a free port. A command whose output follows the state of
 * the gateway, `gateway servers`, is repeated as a person does, until it prints what the page shows.
 *
 * @throws when a command prints something else
 */
export async function followSteps(
  steps: readonly DocumentedStep[],
  options: FollowOptions,
): Promise<void> {
  for (const step of steps) {
    if (step.kind === 'file') {
      writeFileSync(join(options.folder, step.name), step.text);
    } else {
      const followed = await follow(step, options);
      options.onStep?.(followed);
    }
  }
}

async function follow(
  { command, prints }: Extract<DocumentedStep, { kind: 'command' }>,
  { shell, folder }: FollowOptions,
): Promise<FollowedStep> {
  if (command.startsWith('gateway serve '))
    return serve({ command, prints }, { shell, log: join(folder, LOG) });
  const end = Date.now() + WITHIN_MS;
  for (;;) {
    const { output, processorSeconds } = await shell.run(command);
    if (output.includes(prints)) return { command, output, processorSeconds };
    if (command !== 'gateway servers' || Date.now() > end)
      throw new Error(`"${command}" does not print "${prints}" but "${output}"`);
    await pause();
  }
}

async function serve(
  { command, prints }: { readonly command: string; readonly prints: string },
  { shell, log }: { readonly shell: Shell; readonly log: string },
): Promise<FollowedStep> {
  const url = `http://127.0.0.1:${String(await freePort())}`;
  const [port] = url.split(':').slice(-1);
  await shell.run(`export GATEWAY_URL=${url}/mcp`);
  const options = `--port ${port ?? ''} --no-health-listener`;
  const { processorSeconds } = await shell.run(`${command} ${options} > '${log}' 2>&1 &`);
  const expected = prints.replaceAll(USUAL, url);
  const end = Date.now() + WITHIN_MS;
  for (;;) {
    const output = existsSync(log) ? readFileSync(log, 'utf8') : '';
    if (output.includes(expected)) return { command, output, processorSeconds };
    if (Date.now() > end) throw new Error(`"${command}" does not print "${expected}": ${output}`);
    await pause();
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
