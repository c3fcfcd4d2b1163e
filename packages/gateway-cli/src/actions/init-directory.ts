import { createFileAtomically, readErrorCode } from '@gateway/files';
import { type CommandResult, escapeToLine } from '@gateway/service-host';
import { mkdir, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { CliIo } from '../cli-io.ts';
import { formatShellWord } from '../completion/shell-scripts.ts';
import { CommandFailure } from '../failure.ts';

const FILES: ReadonlyMap<string, string> = new Map([
  [
    'config.yaml',
    `# Configuration of the gateway. Every key is optional; docs/configuration.md describes them.
# gateway validate --config-dir . checks this directory.
http:
  # The address that clients connect to.
  host: 127.0.0.1
  port: 8090
`,
  ],
  [
    'mcpservers/example.yaml',
    `# One server. The name of the file is the name of the server.
apiVersion: gateway.internal/v1alpha1
kind: MCPServer
metadata:
  name: example
spec:
  # A program that the gateway starts; for a server with a URL: type: streamable-http and url: https://...
  type: stdio
  command: npx
  args: ['-y', '@modelcontextprotocol/server-everything']
  # true starts it with the gateway. Until then: gateway servers start example
  autoStart: false
  # Variables of the program. Placeholders keep secrets out of this file:
  # env:
  #   API_TOKEN: \${env:API_TOKEN}
  #   API_KEY: \${file:secrets/example/api-key}
`,
  ],
  [
    '.gitignore',
    '# Values of secrets, with mode 0600.\nsecrets/\n# What the gateway keeps, with the key of its sessions.\nstate/\n',
  ],
]);

const createProblem = (directory: string, code: string): string =>
  ['ENOTDIR', 'EEXIST'].includes(code)
    ? `${directory} is not a directory, or a part of its path is a file: name another one`
    : `${directory} cannot be created (${code})`;

/** The whole path is right before and after a change into the directory. */
const formatNextSteps = (path: string): string => {
  const place = escapeToLine(`--config-dir ${formatShellWord(path)}`);
  return [
    'Next steps, from any directory:',
    `  gateway servers add NAME ${place} -- COMMAND ARGUMENTS`,
    `  gateway import ${place}`,
    `  gateway serve ${place}`,
    '  gateway export CLIENT\n',
  ].join('\n');
};

export async function initDirectory(directory: string, io: CliIo): Promise<CommandResult> {
  if (directory === '')
    throw new CommandFailure('refused', 'the directory is an empty text: name one, or none');
  const path = resolve(directory);
  await mkdir(join(path, 'mcpservers'), { recursive: true }).catch((error: unknown) => {
    throw new CommandFailure('refused', createProblem(directory, readErrorCode(error)));
  });
  const present = await readdir(path);
  if (present.includes('config.yaml') || (await readdir(join(path, 'mcpservers'))).length > 0)
    throw new CommandFailure('refused', `${directory} is a configuration directory already`);
  for (const [file, text] of FILES)
    if (await createFileAtomically(join(path, file), text, { mode: 0o644, isDurable: true }))
      io.stdout.write(`new file ${escapeToLine(join(directory, file))}\n`);
  io.stderr.write(formatNextSteps(path));
  return 'succeeded';
}
