import { endpointOf } from '../client/endpoint.ts';
import { CommandFailure } from '../failure.ts';

/** Returns the endpoint of the argument `url`. */
export const gatewayUrl = (text: string): URL => {
  const endpoint = endpointOf(text);
  if (endpoint.ok) return endpoint.url;
  throw new CommandFailure('refused', `url: ${endpoint.text}`);
};
