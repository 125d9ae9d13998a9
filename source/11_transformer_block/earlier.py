"""Functions of earlier lessons, as the course wrote them. This lesson builds on them.

Where you have passed a lesson, your own `solve` is used instead: the last line takes care of that.
"""

import math
from course import carry_on


def embed_tokens(ids, token_table, position_table, start):
    """Give each token its vector: token vector plus position vector.

    ids: the token ids, (tokens,)    start: the place of the first token
    token_table: one row per token of the vocabulary, (vocabulary, d)
    position_table: one row per place, (places, d)

    Return one row per token, each as wide as the rows of the tables: (tokens, d).
    """
    output = []
    for i, token_id in enumerate(ids):
        # 1. Look up the vector of the token
        token_vector = token_table[token_id]
        # 2. Look up the vector of the place
        position_vector = position_table[start + i]
        # 3. Add the two vectors
        output.append([a + b for a, b in zip(token_vector, position_vector)])
    return output


def feed_forward(X, W1, b1, W2, b2):
    """Send every token through the feed-forward layer.

    X: the tokens, (tokens, d)
    W1: (d, f)    b1: (f,)    W2: (f, d)    b2: (d,)

    Return one row per token, (tokens, d): GELU(row · W1 + b1) · W2 + b2.
    """
    output = []
    for x in X:
        # 1. Send the row through the first linear layer
        hidden = []
        for column, bias in zip(zip(*W1), b1):
            hidden.append(sum(a * w for a, w in zip(x, column)) + bias)
        # 2. Bend every hidden number with GELU
        bent = []
        for h in hidden:
            inner = math.sqrt(2 / math.pi) * (h + 0.044715 * h**3)
            bent.append(0.5 * h * (1 + math.tanh(inner)))
        # 3. Send the bent numbers through the second linear layer
        row = []
        for column, bias in zip(zip(*W2), b2):
            row.append(sum(a * w for a, w in zip(bent, column)) + bias)
        output.append(row)
    return output


def layer_norm(X, gain, bias, eps):
    """Compute layer norm for every row.

    X: the vectors, one row per token, (tokens, d)
    gain, bias: one number for each column, (d,)    eps: is added to the variance

    Return one row for each row of X: (tokens, d).
    """
    output = []
    for row in X:
        # 1. Subtract the mean of the row
        mean = sum(row) / len(row)
        centred = [number - mean for number in row]
        # 2. Average the squares
        variance = sum(number * number for number in centred) / len(row)
        # 3. Divide by the square root of variance plus eps
        root = math.sqrt(variance + eps)
        standardised = [number / root for number in centred]
        # 4. Multiply by the gain and add the bias
        output.append([s * g + b for s, g, b in zip(standardised, gain, bias)])
    return output


def attention(Q, K, V, causal):
    """Compute scaled dot-product attention.

    Q: the queries, (queries, d)    K: the keys, (keys, d)    V: the values, (keys, width of V)
    causal: if True, query i uses only keys and values 0 to i

    Return one row per query, each as wide as a row of V: (queries, width of V).
    """
    output = []
    for i, q in enumerate(Q):
        # 1. Choose the keys that this query may see
        count = i + 1 if causal else len(K)
        # 2. Score each of these keys against the query
        scores = []
        for k in K[:count]:
            dot = sum(a * b for a, b in zip(q, k))
            scores.append(dot / math.sqrt(len(q)))
        # 3. Turn the scores into weights with softmax
        largest = max(scores)
        exps = [math.exp(score - largest) for score in scores]
        total = sum(exps)
        weights = [e / total for e in exps]
        # 4. Mix the value rows by weight
        columns = zip(*V[:count])
        output.append([sum(w * number for w, number in zip(weights, column)) for column in columns])
    return output


def multi_head_attention(X, W_q, W_k, W_v, W_o, heads, causal):
    """Compute multi-head attention.

    X: one row per token, (tokens, d)    W_q, W_k, W_v, W_o: the tables, (d, d) each
    heads: the number of heads; each one is d / heads wide
    causal: if True, token i uses only tokens 0 to i

    Return one row per token, as wide as a row of X: (tokens, d).
    """
    def multiply(rows, table):
        columns = list(zip(*table))
        return [[sum(a * b for a, b in zip(row, column)) for column in columns] for row in rows]

    # 1. Make queries, keys and values
    Q = multiply(X, W_q)
    K = multiply(X, W_k)
    V = multiply(X, W_v)
    parts = []
    for head in range(heads):
        # 2. Cut out the columns of each head
        width = len(X[0]) // heads
        start, stop = head * width, (head + 1) * width
        q = [row[start:stop] for row in Q]
        k = [row[start:stop] for row in K]
        v = [row[start:stop] for row in V]
        # 3. Run attention in each head
        parts.append(attention(q, k, v, causal))
    # 4. Put the heads side by side
    joined = []
    for i in range(len(X)):
        row = []
        for part in parts:
            row.extend(part[i])
        joined.append(row)
    # 5. Mix the heads with the output projection
    return multiply(joined, W_o)


carry_on(globals(), embed_tokens="05_embed_tokens", feed_forward="06_feed_forward", layer_norm="07_layer_norm", attention="09_attention", multi_head_attention="10_multi_head_attention")
