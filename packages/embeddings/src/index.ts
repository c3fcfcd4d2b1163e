export {
  createEmbeddings,
  embeddedText,
  type EmbeddedText,
  type Embeddings,
} from './create-embeddings.ts';
