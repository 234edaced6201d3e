//! Ten questions on the lecture notes, with commands that show the answers.

/// A question with three choices.
pub(super) struct NotesQuestion {
    /// The question and its choices, in English.
    pub english: [&'static str; 4],
    /// The same in Spanish.
    pub spanish: [&'static str; 4],
    /// The letter of the right choice.
    pub right: char,
    /// A command that shows why, without `quevedo lab`.
    pub command: &'static str,
    /// A part of its output in English.
    #[cfg_attr(not(test), allow(dead_code))]
    pub shows: &'static str,
}

/// The questions.
#[rustfmt::skip] // One line for each text.
pub(super) const QUESTIONS: [NotesQuestion; 10] = [
    NotesQuestion {
        english: ["What does an optimal strategy of Max guarantee?", "the best result that Max can be sure of", "the best result that Min can be sure of", "the best result for both players at once"],
        spanish: ["¿Qué garantiza una estrategia óptima de Max?", "el mejor resultado que Max puede asegurarse", "el mejor resultado que Min puede asegurarse", "el mejor resultado para los dos a la vez"],
        right: 'a', command: "solve --example win-draw-loss", shows: "mtd-f: 0",
    },
    NotesQuestion {
        english: ["Which goals can agents in the same environment have?", "shared or opposed ones only", "opposed or partly shared ones only", "shared, partly shared or opposed ones"],
        spanish: ["¿Qué metas pueden tener los agentes de un mismo entorno?", "solo compartidas u opuestas", "solo opuestas o en parte compartidas", "compartidas, en parte compartidas u opuestas"],
        right: 'c', command: "demo matrix", shows: "zero-sum",
    },
    NotesQuestion {
        english: ["By which properties are games classified?", "players, chance and information", "information and players only", "chance and players only"],
        spanish: ["¿Por qué propiedades se clasifican los juegos?", "jugadores, azar e información", "solo información y jugadores", "solo azar y jugadores"],
        right: 'a', command: "games", shows: "information",
    },
    NotesQuestion {
        english: ["Min always does what is worst for Max. What should Max do?", "minimise the smallest utility", "maximise the smallest utility", "there is no optimal strategy"],
        spanish: ["Min hace siempre lo peor para Max. ¿Qué debe hacer Max?", "minimizar la utilidad mínima", "maximizar la utilidad mínima", "no hay estrategia óptima"],
        right: 'b', command: "tree --example minimax-textbook --algorithm minimax", shows: "max 3",
    },
    NotesQuestion {
        english: ["Which part of the tree does minimax with suspension generate?", "only some of the nodes above the limit", "all nodes, depth first, down to the suspension nodes", "none"],
        spanish: ["¿Qué parte del árbol genera minimax con suspensión?", "solo algunos nodos por encima del límite", "todos los nodos, en profundidad, hasta los de suspensión", "ninguna"],
        right: 'b', command: "compare --game tic-tac-toe --depth 2 --algorithms minimax", shows: "72",
    },
    NotesQuestion {
        english: ["How does the result of alpha-beta compare to that of minimax?", "it is the same", "it is never the same", "it depends on the order of the nodes"],
        spanish: ["¿Cómo es el resultado de alfa-beta frente al de minimax?", "el mismo", "nunca es el mismo", "depende del orden de los nodos"],
        right: 'a', command: "compare --example alpha-beta-8 --algorithms minimax,alpha-beta", shows: "alpha-beta  ",
    },
    NotesQuestion {
        english: ["How does expectiminimax treat chance?", "each chance node has one fixed outcome", "chance is a player that takes part in every turn", "chance is a player where an event does not depend on the others"],
        spanish: ["¿Cómo trata expectiminimax el azar?", "cada nodo de azar tiene un resultado fijo", "el azar es un jugador que interviene en cada turno", "el azar es un jugador donde un suceso no depende de los demás"],
        right: 'c', command: "tree --example dice", shows: "chance 3",
    },
    NotesQuestion {
        english: ["What should an evaluation for expectiminimax be, ideally?", "a positive linear transformation of the chance to win", "a positive linear regression of it", "a negative linear transformation of it"],
        spanish: ["¿Qué debería ser, idealmente, una evaluación para expectiminimax?", "una transformación lineal positiva de la probabilidad de ganar", "una regresión lineal positiva de ella", "una transformación lineal negativa de ella"],
        right: 'a', command: "demo scale", shows: "scale-linear",
    },
    NotesQuestion {
        english: ["How does the cost of expectiminimax relate to the size of the tree?", "inversely", "in proportion", "not at all"],
        spanish: ["¿Cómo se relaciona el coste de expectiminimax con el tamaño del árbol?", "de forma inversa", "en proporción", "de ninguna forma"],
        right: 'b', command: "demo chance", shows: "74088000",
    },
    NotesQuestion {
        english: ["Does the order of the nodes matter to the efficiency of alpha-beta?", "no, it is independent of it", "the order has no influence", "yes"],
        spanish: ["¿Influye el orden de los nodos en la eficiencia de alfa-beta?", "no, es independiente", "el orden no influye", "sí"],
        right: 'c', command: "growth --game random --orders best,worst --branching 3 --depth 4 --algorithms alpha-beta", shows: "alpha-beta (best)",
    },
];
