import { createBufferedIo, runCli } from '@gateway/gateway-cli';

/** Runs a command of the gateway in this process and returns its exit code and its output. */
export async function runInMemory(args: readonly string[]): Promise<[unknown, string]> {
  const io = createBufferedIo({ env: { NO_COLOR: '1' } });
  const refuse = () => Promise.resolve('refused' as const);
  const stateProblem = () => Promise.resolve(undefined);
  const toolsetProblem = () => undefined;
  const probeServers = () => Promise.reject(new Error('not a program that serves'));
  const serving = { serve: refuse, serveStdio: refuse, stateProblem, toolsetProblem, probeServers };
  const code = await runCli(args, io, serving);
  return [code, io.written.stdout];
}
