// Runs Node programs one after the other in this process, as messages ask for them: what they import is loaded once, which is
// most of what a short program costs. A message is {id, argv, env}, its answer {id, code, output}.
import { pathToFileURL } from 'node:url';

const prepared = { ...process.env };
const write = { stdout: process.stdout.write, stderr: process.stderr.write };
let last = Promise.resolve();

// Programs listen for signals, once each.
process.setMaxListeners(0);
process.on('disconnect', () => process.exit());
process.on('message', (order) => {
  last = last.then(() => answer(order));
});

class Exit extends Error {}
const exit = process.exit;

async function answer({ id, argv, env }) {
  let output = '';
  const collect = (text) => {
    output += String(text);
    return true;
  };
  process.stdout.write = collect;
  process.stderr.write = collect;
  process.exitCode = undefined;
  process.exit = (code) => {
    process.exitCode = code;
    throw new Exit();
  };
  process.env = { ...prepared, ...env };
  process.argv = [process.execPath, ...argv];
  try {
    // A program is a module that runs when it is loaded; each time it is another one.
    await import(`${pathToFileURL(argv[0]).href}?run=${String(id)}`);
  } catch (error) {
    if (!(error instanceof Exit)) {
      output += error.stack;
      process.exitCode = 1;
    }
  }
  process.stdout.write = write.stdout;
  process.stderr.write = write.stderr;
  process.exit = exit;
  process.send({ id, code: process.exitCode ?? 0, output });
}
