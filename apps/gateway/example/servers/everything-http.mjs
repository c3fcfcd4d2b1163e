// Starts the protocol's test server over Streamable HTTP, for this machine alone: `node servers/everything-http.mjs <port>`.
// The server has no option for the address and would listen on all of them.
import { Server } from 'node:net';

const { listen } = Server.prototype;
Server.prototype.listen = function listenOnLoopback(port) {
  this.once('listening', () => process.send?.({ listening: this.address().port }));
  return listen.call(this, port, '127.0.0.1');
};
process.env.PORT = process.argv[2] ?? '8091';
process.argv[2] = 'streamableHttp';
await import('@modelcontextprotocol/server-everything/dist/index.js');
