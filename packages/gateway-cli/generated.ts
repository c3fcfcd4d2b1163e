import type { GeneratedFile } from '@gateway/repo-checks';
import { createBufferedIo } from './src/cli-io.ts';
import { commandReference } from './src/completion/command-reference.ts';
import { commandTree } from './src/completion/command-tree.ts';
import { createProgram } from './src/run-cli.ts';

const doNothing = () => Promise.resolve(undefined as never);

/** The command tree, without programs to run. */
const program = () =>
  createProgram({
    io: createBufferedIo(),
    serving: {
      serve: doNothing,
      serveStdio: doNothing,
      stateProblem: doNothing,
      toolsetProblem: () => undefined,
      probeServers: doNothing,
    },
    run: doNothing,
    end: () => undefined,
  });

/** `docs/reference/commands.md`: the command tree. */
export const generated: readonly GeneratedFile[] = [
  {
    path: 'docs/reference/commands.md',
    text: () => commandReference(commandTree(program())),
  },
];
