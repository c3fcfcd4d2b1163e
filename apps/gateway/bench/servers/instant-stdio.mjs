// An MCP server of the 2025 revisions on standard input and output that answers at once.
import { answerTo, progressOf, toolsOf } from '../sample-servers.mjs';
import { eachLine } from './lines.mjs';

eachLine(process.stdin, (line) => {
  const message = JSON.parse(line);
  for (const report of progressOf(message)) process.stdout.write(`${report}\n`);
  const answer = answerTo(message, () => toolsOf(0, 34));
  if (answer !== undefined) process.stdout.write(`${answer}\n`);
});
