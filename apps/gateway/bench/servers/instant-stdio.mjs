// An MCP server of the 2025 revisions on standard input and output that answers at once.
import { answerTo, toolsOf } from '../sample-servers.mjs';
import { eachLine } from './lines.mjs';

eachLine(process.stdin, (line) => {
  const answer = answerTo(JSON.parse(line), () => toolsOf(0, 34));
  if (answer !== undefined) process.stdout.write(`${answer}\n`);
});
