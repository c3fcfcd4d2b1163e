/** The rest of a longer answer is not read. */
const MAX_BYTES = 4_000_000;

const textOf = async (body: ReadableStream<Uint8Array>): Promise<string> => {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let [text, bytes] = ['', 0];
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    text += decoder.decode(read.value, { stream: true });
    bytes += read.value.length;
    if (bytes > MAX_BYTES) {
      await reader.cancel();
      break;
    }
  }
  return text;
};

/** Reads the metrics of the gateway. Rejects when they are not available. */
export const readMetrics = async (send: () => Promise<Response>): Promise<string> => {
  const response = await send();
  if (!response.ok || response.body === null)
    throw new Error('The metrics of the gateway are not available.');
  return textOf(response.body);
};
