const post = async (url: string, body: object): Promise<unknown> => {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  return response.json();
};

/**
 * Discards all revisions before now, as the API server does every 5 minutes. Without the watch cache, watches and page tokens of older
 * revisions are refused from then on.
 */
export const compactEtcd = async (etcdUrl: string): Promise<void> => {
  const key = Buffer.from('any').toString('base64');
  const { header } = (await post(`${etcdUrl}/v3/kv/range`, { key })) as {
    readonly header: { readonly revision: string };
  };
  await post(`${etcdUrl}/v3/kv/compaction`, { revision: header.revision, physical: true });
};
