import { connect } from 'node:net';

const LENGTH = /^content-length: *(\d+)/imu;
const END_OF_CHUNKS = '0\r\n\r\n';

/**
 * A persistent connection that sends ready-made HTTP requests, one at a time, and reads only what it must of the answers:
 * a client that costs little, so that the server under test is what is measured.
 *
 * @param onAnswer receives the status and the size in bytes of each complete answer
 */
export class SocketClient {
  #socket;
  #onAnswer;
  #status = 0;
  #bytes = 0;
  /** Bytes of the body still to come; `undefined` while the head is read, -1 for a chunked body. */
  #left;
  #rest = '';
  #kept;

  constructor({ hostname, port }, onAnswer, onError) {
    this.#onAnswer = onAnswer;
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true });
    this.#socket.on('data', (chunk) => this.#take(chunk));
    this.#socket.on('error', onError);
    this.#socket.on('close', () => onError(new Error('the server closed the connection')));
  }

  /** Sends one request. With `keep` the text of its answer is returned. */
  send(request, keep = false) {
    this.#kept = keep ? [] : undefined;
    this.#bytes = 0;
    this.#left = undefined;
    this.#rest = '';
    this.#socket.write(request);
  }

  close() {
    this.#socket.removeAllListeners('close').destroy();
  }

  #take(chunk) {
    this.#bytes += chunk.length;
    this.#kept?.push(chunk);
    if (this.#left === undefined) this.#takeHead(chunk);
    else if (this.#left >= 0) this.#left -= chunk.length;
    else this.#rest = (this.#rest + chunk.subarray(-5).latin1Slice()).slice(-5);
    if (this.#left === 0 || (this.#left === -1 && this.#rest === END_OF_CHUNKS)) this.#finish();
  }

  #takeHead(chunk) {
    this.#rest += chunk.latin1Slice();
    const end = this.#rest.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = this.#rest.slice(0, end);
    this.#status = Number(head.slice(9, 12));
    const length = LENGTH.exec(head)?.[1];
    const body = this.#rest.length - end - 4;
    this.#left = length === undefined ? -1 : Number(length) - body;
    this.#rest = this.#rest.slice(end + 4).slice(-5);
  }

  #finish() {
    const text = this.#kept && Buffer.concat(this.#kept).toString();
    this.#onAnswer(this.#status, this.#bytes, text);
  }
}
