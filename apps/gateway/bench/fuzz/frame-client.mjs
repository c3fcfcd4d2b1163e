// Sends one frame on a connection of its own and reads what the server answers until it closes.
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const QUIET_MS = 15;
/** A server that closes no connection whose client has ended is late. */
const LATE_MS = 20_000;
const GRACE_MS = 2_000;

const write = async (socket, { bytes, parts }) => {
  const size = Math.ceil(bytes.length / parts);
  for (let at = 0; at < bytes.length && !socket.destroyed; at += size) {
    socket.write(bytes.subarray(at, at + size));
    if (parts > 1) await wait(1);
  }
};

/** Sends a frame. Resolves with the bytes of the responses; rejects when the server keeps the connection. */
export const sendFrame = (port, frame) =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true, noDelay: true });
    const chunks = [];
    let quiet;
    const endLater = () => {
      clearTimeout(quiet);
      quiet = setTimeout(() => socket.end(), QUIET_MS);
    };
    const refuse = () => {
      socket.destroy();
      reject(new Error(`the connection stays open ${LATE_MS} ms after its frame was sent`));
    };
    // A process that had no processor time sees the end of the connection after its timers.
    let late = setTimeout(() => {
      late = setTimeout(refuse, GRACE_MS);
    }, LATE_MS);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      endLater();
    });
    // A reset is an answer, too: the server may close while the frame is still written.
    socket.on('error', () => undefined);
    socket.on('end', () => socket.end());
    socket.on('close', () => {
      clearTimeout(quiet);
      clearTimeout(late);
      resolve(Buffer.concat(chunks));
    });
    socket.on('connect', async () => {
      await write(socket, frame);
      if (frame.resets) socket.resetAndDestroy();
      else if (frame.endsEarly) socket.end();
      else endLater();
    });
  });
