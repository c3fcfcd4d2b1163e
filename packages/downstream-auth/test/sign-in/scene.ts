import { oauthServer, protectedServer, provider, testGateway } from './test-gateway.ts';

/** Options of the peers of a test. */
export interface SceneOptions {
  readonly provider?: Parameters<typeof provider>[0];
  readonly server?: Parameters<typeof protectedServer>[0];
  readonly gateway?: Parameters<typeof testGateway>[0];
}

/** Starts a provider, a server of this provider, and a gateway with the server `tools`. */
export const scene = async (options: SceneOptions = {}) => {
  const issuer = await provider(options.provider);
  const peer = await protectedServer({ issuers: [issuer.issuer], ...options.server });
  const gateway = await testGateway(options.gateway);
  const tools = oauthServer('tools', peer.url);
  gateway.servers.push(tools);
  return { issuer, peer, gateway, tools };
};
