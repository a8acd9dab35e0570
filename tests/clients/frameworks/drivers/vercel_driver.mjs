// Vercel's AI SDK: a stream, a tool there and back, a picture. Prints what each answered, as JSON.

import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, jsonSchema, stepCountIs, streamText, tool } from "ai";

const [url, key, question, errand, picture] = process.argv.slice(2);
const model = createOpenAICompatible({ name: "caesar", baseURL: url, apiKey: key })("caesar");

let streamed = "";
for await (const piece of streamText({ model, prompt: question }).textStream) streamed += piece;
const look = tool({
  description: "Look at a thing of the house.",
  inputSchema: jsonSchema({ type: "object", properties: { at: { type: "string" } } }),
  execute: async () => "21 degrees",
});
const told = await generateText({ model, prompt: errand, tools: { look }, stopWhen: stepCountIs(3) });
const content = [{ type: "text", text: "And this?" }, { type: "image", image: picture }];
const seen = await generateText({ model, messages: [{ role: "user", content }] });
console.log(JSON.stringify({ stream: streamed, tools: told.text, images: seen.text }));
