// An MCP server of the 2025 revisions on standard input and output that answers at once.
import { answerTo, progressOf, toolsOf } from '../sample-servers.mjs';
import { eachLine } from './lines.mjs';

const tools = Number(process.argv[2] ?? 34);

eachLine(process.stdin, (line) => {
  const message = JSON.parse(line);
  for (const report of progressOf(message)) process.stdout.write(`${report}\n`);
  const answer = answerTo(message, () => toolsOf(0, tools));
  if (answer !== undefined) process.stdout.write(`${answer}\n`);
});
