// Loaded into every measured process: it ends when the measuring process has ended, however that happened.
if (process.channel) {
  process.once('disconnect', () => process.exit());
  process.channel.unref();
}
