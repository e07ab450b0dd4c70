// What may stand at a place of a story, from the JSON schema that `watchlab schema` prints.

/** The schemas that one stands for: behind references, and each of several alternatives. */
function alternativesOf(schema, root) {
  if (!schema || typeof schema !== 'object') {
    return [];
  }
  if (schema.$ref) {
    return alternativesOf(root.$defs[schema.$ref.slice('#/$defs/'.length)], root);
  }
  const inner = [...schema.anyOf ?? [], ...schema.oneOf ?? [], ...schema.allOf ?? []];
  return [schema, ...inner.flatMap((each) => alternativesOf(each, root))];
}

/** The schemas of what stands below a key, or in a list. */
function below(schemas, key, root) {
  return schemas.flatMap((schema) => alternativesOf(
    key === '[]' ? schema.items
      : schema.properties?.[key] ?? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : null), root));
}

/** Where the end of a text stands: the keys that lead there, '[]' for an entry of a list, and the key whose value it is. */
export function pathAt(text) {
  const stack = [];  // of what is open, from the outside: {column, key}
  const close = (column, isOpen = () => false) => {
    while (stack.length && stack.at(-1).column >= column && !isOpen(stack.at(-1))) {
      stack.pop();
    }
  };
  const lines = text.split('\n');
  let rest = '';
  for (const [i, line] of lines.entries()) {
    const isLast = i === lines.length - 1;
    if (!isLast && /^\s*(#|$)/.test(line)) {
      continue;
    }
    let column = line.search(/\S|$/);
    for (let dash; (dash = /^- +/.exec(line.slice(column)));) {
      close(column, (open) => open.column === column && open.key !== '[]');
      stack.push({column, key: '[]'});
      column += dash[0].length;
    }
    close(column);
    rest = line.slice(column);
    const key = /^([\w-]+):(?=\s|$)/.exec(rest)?.[1];
    if (key && !(isLast && /^[\w-]+:\s+[^{[]*$/.test(rest))) {
      stack.push({column, key});
      rest = rest.slice(key.length + 1);
    }
  }
  const path = stack.map(({key}) => key);
  rest = rest.replace(/"[^"]*"|'[^']*'/g, (quoted) => '_'.repeat(quoted.length));
  const flow = [];  // how long the path is outside of each bracket
  for (let i = 0, from = 0; i < rest.length; ++i) {
    if ('{['.includes(rest[i])) {
      flow.push(path.length);
      const key = /([\w-]+):\s*$/.exec(rest.slice(from, i))?.[1];
      path.push(...key ? [key] : [], ...rest[i] === '[' ? ['[]'] : []);
    } else if ('}]'.includes(rest[i])) {
      path.length = flow.pop() ?? path.length;
    } else if (rest[i] !== ',') {
      continue;
    }
    from = i + 1;
  }
  return {path, value: /(?:^|[{[,]\s*)([\w-]+):\s+[^\s,{}[\]]*$/.exec(rest)?.[1] ?? null};
}

/** What may come at the end of a text: {label, detail, apply, type} each. */
export function wordsAt(text, root) {
  const {path, value} = pathAt(text);
  let schemas = alternativesOf(root, root);
  for (const key of path) {
    schemas = below(schemas, key, root);
  }
  const found = new Map();
  if (value === null) {
    for (const [name, schema] of schemas.flatMap((each) => Object.entries(each.properties ?? {}))) {
      found.set(name, {label: name, apply: `${name}: `, info: schema.description, type: 'property'});
    }
    schemas.flatMap((each) => each.enum ?? []).forEach((word) => found.set(word, {label: String(word), type: 'enum'}));
    return [...found.values()];
  }
  for (const schema of below(schemas, value, root)) {
    const words = schema.type === 'boolean' ? ['true', 'false'] : schema.enum ?? [];
    words.forEach((word) => found.set(word, {label: String(word), type: 'enum'}));
  }
  return [...found.values()];
}
