// The other process of the bench: answers each request with a text of the requested size.
import process from 'node:process';
import { createChannel, portToParent, serveLink } from '../dist/index.js';

const texts = new Map([0, 65_536].map((size) => [size, 'x'.repeat(size)]));
const MODES = {
  raw: () =>
    process.on('message', ({ id, size }) =>
      process.send({ kind: 'result', id, text: texts.get(size) }),
    ),
  link: () =>
    serveLink(createChannel(portToParent()).port('bench'), {
      run: (_method, _text, { size }) => Promise.resolve(texts.get(size)),
    }),
};
MODES[process.argv[2]]();
