import { readConfiguration } from '@gateway/gateway-config';

/** Returns the port in a `config.yaml` with this value, or the problems of the file. */
export function readPort(value: unknown): number | readonly string[] {
  const document = { source: 'config.yaml', value, locate: () => ({ line: 1, column: 1 }) };
  const configuration = readConfiguration(document);
  return configuration.ok
    ? configuration.config.http.port
    : configuration.problems.map(({ message }) => message);
}
