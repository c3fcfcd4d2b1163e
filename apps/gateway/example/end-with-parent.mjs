// Loaded into each program that start.mjs starts: ends the program when start.mjs is gone, also when it was killed.
const isStarted = process.env.EXAMPLE_CHILD !== undefined;
// Programs that the program starts have parents of their own.
delete process.env.EXAMPLE_CHILD;

if (isStarted && process.channel) {
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // The channel alone does not keep the program running.
  process.channel.unref();
}
