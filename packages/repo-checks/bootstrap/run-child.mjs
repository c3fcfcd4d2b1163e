import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { createInterface } from 'node:readline';

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** At a terminal Ctrl-C reaches the whole foreground group: forwarding it would deliver it twice. */
const comesFromTerminal = (signal) => signal === 'SIGINT' && process.stdin.isTTY === true;

/**
 * Runs a program in the foreground and resolves to its exit code (128 + n when signal n ended it).
 * Signals to this process go to the child, and this process outlives it. Nothing is run through a shell.
 * @param onLine receives the lines of its standard output when `stdio` has a pipe there
 */
export const runChild = ({ command, args, cwd, env = process.env, stdio = 'inherit', onLine }) =>
  new Promise((done) => {
    const child = spawn(command, args, { cwd, env, stdio });
    if (child.stdout !== null) createInterface({ input: child.stdout }).on('line', onLine);
    const handlers = FORWARDED.map((signal) => {
      const forward = () => {
        if (!comesFromTerminal(signal)) child.kill(signal);
      };
      process.on(signal, forward);
      return () => process.off(signal, forward);
    });
    const finish = (code) => {
      for (const remove of handlers) remove();
      done(code);
    };
    child.once('error', (error) => {
      process.stderr.write(`Cannot run ${command}: ${error.message}\n`);
      finish(127);
    });
    child.once('close', (code, signal) => finish(code ?? 128 + (constants.signals[signal] ?? 0)));
  });
