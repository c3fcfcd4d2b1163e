// Loaded into peers: they listen on a free port of the loopback address only, and report it.
const { Server } = require('node:net');

const { listen } = Server.prototype;
const PORT = /^\d+$/u;

const portOf = (first) => (typeof first === 'object' ? first?.port : first);

Server.prototype.listen = function (...args) {
  if (!PORT.test(String(portOf(args[0])))) return listen.apply(this, args);
  this.once('listening', () => {
    process.send({ listening: `http://127.0.0.1:${this.address().port}` });
  });
  const callback = args.findLast((arg) => typeof arg === 'function');
  return listen.call(this, { port: 0, host: '127.0.0.1' }, callback);
};
