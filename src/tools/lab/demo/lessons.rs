//! The lessons: a text and the commands that show it.

/// A lesson.
pub(super) struct Lesson {
    pub name: &'static str,
    /// The sections of the lecture notes.
    pub section: &'static str,
    pub english: &'static str,
    pub spanish: &'static str,
    /// The commands that are run, without `quevedo lab`. Empty if a table is computed instead.
    pub commands: &'static [&'static str],
}

/// All lessons, in the order of the lecture notes.
pub(super) const LESSONS: &[Lesson] = &[
    Lesson {
        name: "types",
        section: "2.2, 6.2 · tema 4",
        english: "Types of games. Players, order of the moves, information, chance and sum decide which algorithm suits a game.",
        spanish: "Tipos de juegos. Los jugadores, el orden de las jugadas, la información, el azar y la suma deciden qué algoritmo conviene.",
        commands: &["games"],
    },
    Lesson {
        name: "one-player",
        section: "3",
        english: "Games without an opponent. A* and IDA* find a shortest way by f = g + h, where h never overestimates what is left.",
        spanish: "Juegos sin adversario. A* e IDA* hallan un camino mínimo con f = g + h, donde h nunca sobreestima lo que falta.",
        commands: &["solve --other eight-puzzle --tiles 123745086"],
    },
    Lesson {
        name: "minimax",
        section: "4.1, 6.3",
        english: "Minimax. Max takes the largest value and Min the smallest, from the leaves up to the root; the imaginary game is worth 5.",
        spanish: "Minimax. Max toma el valor mayor y Min el menor, desde las hojas hasta la raíz; el juego imaginario vale 5.",
        commands: &[
            "tree --example minimax-5 --algorithm minimax",
            "solve --game nim --heap 9 --algorithm minimax",
        ],
    },
    Lesson {
        name: "suspension",
        section: "6.3",
        english: "Minimax with suspension. At a depth limit an evaluation replaces the result: at depth 2, open lines put the first cross in the centre, which is worth 1.",
        spanish: "Minimax con suspensión. En un límite de profundidad una evaluación sustituye al resultado: a profundidad 2, las líneas abiertas ponen la primera cruz en el centro, que vale 1.",
        commands: &[
            "compare --game tic-tac-toe --depth 2 --algorithms minimax",
            "compare --game chess --eval material --depth 2 --algorithms minimax,alpha-beta",
        ],
    },
    Lesson {
        name: "alpha-beta",
        section: "4.2.1, 6.4",
        english: "Alpha-beta. Branches that cannot change the result are cut: below Min as soon as its value is at most alpha, below Max as soon as it is at least beta, and also when the bound comes from further up.",
        spanish: "Poda alfa-beta. Se podan las ramas que no pueden cambiar el resultado: bajo Min en cuanto su valor no supera alfa, bajo Max en cuanto alcanza beta, y también cuando la cota viene de más arriba.",
        commands: &[
            "tree --example alpha-beta-8",
            "tree --example cut-alpha",
            "tree --example cut-beta",
            "compare --example cut-alpha-deep --algorithms minimax,alpha-beta-shallow,alpha-beta",
        ],
    },
    Lesson {
        name: "order",
        section: "6.4",
        english: "The order of the moves. Alpha-beta saves most with the best move first: for b = 10 and d = 4 it sees 199 of 10,000 leaves.",
        spanish: "El orden de las jugadas. Alfa-beta ahorra más con la mejor jugada primero: con b = 10 y d = 4 ve 199 de 10 000 hojas.",
        commands: &[
            "compare --example order-best --algorithms minimax,alpha-beta",
            "compare --example order-worst --algorithms minimax,alpha-beta",
            "growth --game random --order best --branching 10 --depth 4 --algorithms minimax,alpha-beta",
        ],
    },
    Lesson {
        name: "futility",
        section: "4.2.2",
        english: "Futility cut-off. Where 3 is certain, a branch that offers 3.1 at most is not worth looking at.",
        spanish: "Poda de inutilidades. Donde 3 es seguro, no vale la pena mirar una rama que ofrece 3.1 como mucho.",
        commands: &[
            "compare --example futility-3-1 --algorithms alpha-beta,futility",
            "tree --example futility-3-1 --algorithm futility",
        ],
    },
    Lesson {
        name: "quiescence",
        section: "4.2.3",
        english: "Quiescence. A value at the depth limit can be overturned by the next move (the horizon effect), so the search goes on until the position is quiet: behind captures, or while the value changes much one ply deeper.",
        spanish: "Espera del reposo. La jugada siguiente puede volcar un valor en el límite (efecto horizonte), así que la búsqueda sigue hasta el reposo: tras las capturas, o mientras el valor cambie mucho un nivel más abajo.",
        commands: &[
            "compare --example horizon --depth 1 --algorithms alpha-beta,quiescence",
            "tree --example horizon --depth 1 --algorithm quiescence",
            "compare --example swing --depth 1 --algorithms alpha-beta,quiescence-swing",
        ],
    },
    Lesson {
        name: "secondary",
        section: "4.2.4",
        english: "Secondary search. The chosen move is verified by a deeper search, and the next one is taken if it disappoints.",
        spanish: "Búsqueda secundaria. La jugada elegida se comprueba con una búsqueda más profunda, y se toma la siguiente si decepciona.",
        commands: &["compare --example trap --depth 1 --algorithms alpha-beta,secondary"],
    },
    Lesson {
        name: "book",
        section: "4.2.5",
        english: "Book moves. Known openings and endings are played from a list, and only the rest is searched.",
        spanish: "Movimientos de libro. Las aperturas y finales conocidos se juegan de una lista, y solo se busca el resto.",
        commands: &[
            "compare --game tic-tac-toe --depth 3 --algorithms alpha-beta,book",
            "compare --game chess --depth 2 --algorithms alpha-beta,book",
        ],
    },
    Lesson {
        name: "biased",
        section: "4.2.6",
        english: "Biased search. Only promising moves are searched, and fewer of them behind a move that promises less: by level, by rank among the siblings, or by the estimate itself.",
        spanish: "Búsqueda sesgada. Solo se buscan las jugadas prometedoras, y menos tras una jugada que promete menos: por nivel, por puesto entre los hermanos o por la estimación misma.",
        commands: &[
            "compare --game random --branching 6 --levels 5 --correlation 90 --width 6 --algorithms alpha-beta,biased,biased-rank,biased-estimate --margin 10",
        ],
    },
    Lesson {
        name: "opponent",
        section: "4.2.7",
        english: "The opponent. Against one who may err, B (-5, or 9 after a mistake) is better than C (-4 in any case). In play, --learn estimates from the moves how often the opponent errs.",
        spanish: "El adversario. Contra quien puede equivocarse, B (-5, o 9 tras un error) es mejor que C (-4 en todo caso). Al jugar, --learn estima por las jugadas con qué frecuencia se equivoca.",
        commands: &[
            "compare --example berliner --algorithms minimax,opponent-errs",
            "compare --example winning --algorithms minimax,opponent-errs --errs 0.5",
            "compare --example shortsighted --algorithms minimax,opponent-sees",
        ],
    },
    Lesson {
        name: "deepening",
        section: "4.2.8",
        english: "Progressive deepening. One depth after the other until the time is up; the last complete one counts. Each iteration starts with the principal variation of the one before, and so saves a part of the leaves and of the time that the same depth takes without it.",
        spanish: "Bajada progresiva. Una profundidad tras otra hasta que acaba el tiempo; vale la última completa. Cada iteración empieza por la variante principal de la anterior, y así ahorra una parte de las hojas y del tiempo que cuesta la misma profundidad sin ella.",
        commands: &["compare --game chess --depth 30 --seconds 0.3 --algorithms deepening"],
    },
    Lesson {
        name: "continuation",
        section: "4.2.9",
        english: "Heuristic continuation. Leaves in danger (a king in check, a pawn about to promote) are searched some moves deeper.",
        spanish: "Continuación heurística. Las hojas en peligro (un rey en jaque, un peón a punto de coronar) se buscan algunas jugadas más.",
        commands: &["compare --example horizon --depth 1 --algorithms alpha-beta,continuation"],
    },
    Lesson {
        name: "null-move",
        section: "4.2.10",
        english: "Null move. A player who could pass and still reaches beta has enough. That errs in zugzwang, where every move is worse than a pass: in the second position Black's king goes to f4, and White, who cannot pass, gives up the pawn e4. It also errs where the shallower search after the pass misses something: in the third, that Black takes the pawn b6. Verified, such a cut is checked by a search one ply less deep, and repaired where that fails.",
        spanish: "Movimiento nulo. A quien pudiera pasar y aún alcanzara beta le basta. Falla en zugzwang, donde toda jugada es peor que pasar: en la segunda posición el rey negro va a f4, y las blancas, que no pueden pasar, entregan el peón de e4. También falla si a la búsqueda menos profunda tras el pase se le escapa algo: en la tercera, que las negras toman el peón de b6. Verificado, la poda se comprueba con una búsqueda un nivel menos profunda y se repara si esta falla.",
        commands: &[
            "compare --fen \"r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4\" --depth 4 --algorithms alpha-beta,null-move,null-move-verified",
            "compare --fen \"8/8/8/3Kp3/4P3/1p4k1/1P6/B7 b - - 0 1\" --eval material --depth 7 --algorithms alpha-beta,null-move,null-move-verified",
            "compare --fen \"8/8/kP6/7R/4r3/3K4/8/8 b - - 0 1\" --eval material --depth 4 --algorithms alpha-beta,null-move,null-move-verified",
        ],
    },
    Lesson {
        name: "aspiration",
        section: "4.2.11",
        english: "Aspiration search. A narrow window around a guess cuts more; if the value lies outside, the search is repeated.",
        spanish: "Búsqueda por aspiración. Una ventana estrecha alrededor de una estimación poda más; si el valor queda fuera, se repite la búsqueda.",
        commands: &[
            "compare --game random --levels 5 --correlation 100 --algorithms alpha-beta,aspiration --margin 10",
        ],
    },
    Lesson {
        name: "negamax",
        section: "4.2.12",
        english: "NegaMax. max(a, b) = -min(-a, -b), so one function serves both players.",
        spanish: "NegaMax. max(a, b) = -min(-a, -b), de modo que una función sirve a los dos jugadores.",
        commands: &["compare --example minimax-textbook --algorithms minimax,negamax"],
    },
    Lesson {
        name: "negascout",
        section: "4.2.13",
        english: "NegaScout. A null window asks whether a move is better than the first one. With the best move first that costs nothing more than alpha-beta; with a good order that is not perfect it can save; with a random one, repeated searches cost more than they save.",
        spanish: "NegaScout. Una ventana nula pregunta si una jugada supera a la primera. Con la mejor jugada primero no cuesta más que alfa-beta; con un orden bueno pero no perfecto puede ahorrar; con uno aleatorio, las repeticiones cuestan más de lo que ahorran.",
        commands: &[
            "compare --game random --correlation 100 --branching 4 --levels 6 --seed 2 --algorithms alpha-beta,negascout",
            "growth --game random --orders best,random,worst --branching 4 --depth 6 --algorithms alpha-beta,negascout --measure nodes",
        ],
    },
    Lesson {
        name: "sss-star",
        section: "4.3",
        english: "SSS*. Best first among Max's strategies: no leaf that alpha-beta spares, and often fewer, for the price of a list OPEN. RecSSS* does without the sorted list.",
        spanish: "SSS*. Primero el mejor entre las estrategias de Max: ninguna hoja que alfa-beta se ahorre, y a menudo menos, al precio de una lista OPEN. RecSSS* prescinde de la lista ordenada.",
        commands: &[
            "compare --example sss-star-saves --algorithms alpha-beta,sss-star,rec-sss-star,dual-star",
            "tree --example sss-star --algorithm sss-star",
        ],
    },
    Lesson {
        name: "scout",
        section: "4.4",
        english: "SCOUT. TEST asks cheaply whether a branch is better; only then EVAL looks for its value.",
        spanish: "SCOUT. TEST pregunta a bajo coste si una rama es mejor; solo entonces EVAL busca su valor.",
        commands: &[
            "compare --example scout --algorithms alpha-beta,scout",
            "tree --example scout --algorithm scout",
        ],
    },
    Lesson {
        name: "mtd-f",
        section: "4.5",
        english: "MTD(f). Null windows and a transposition table close in on the value from a guess.",
        spanish: "MTD(f). Ventanas nulas y una tabla de transposición se acercan al valor desde una estimación.",
        commands: &[
            "compare --game tic-tac-toe --depth 5 --algorithms alpha-beta,alpha-beta-memory,mtd-f,mtd-plus,mtd-minus",
        ],
    },
    Lesson {
        name: "b-star",
        section: "4",
        english: "B*. With a pessimistic and an optimistic value of each position, the best move is proven without its exact value.",
        spanish: "B*. Con un valor pesimista y uno optimista de cada posición, la mejor jugada se demuestra sin su valor exacto.",
        commands: &["compare --example b-star --algorithms minimax,b-star"],
    },
    Lesson {
        name: "many-players",
        section: "tema 4",
        english: "Games for more than two. Each player maximises its own component of a vector of values; how ties are broken can decide who wins.",
        spanish: "Juegos de más de dos. Cada jugador maximiza su componente de un vector de valores; la regla de desempate puede decidir quién gana.",
        commands: &["solve --other three-players --heap 5"],
    },
    Lesson {
        name: "beliefs",
        section: "6.3",
        english: "Belief states. A player who does not see everything searches over sets of positions: what can Max guarantee at tic-tac-toe without seeing Min's marks?",
        spanish: "Estados de creencia. Quien no lo ve todo busca sobre conjuntos de posiciones: ¿qué puede garantizar Max al tres en raya sin ver las marcas de Min?",
        commands: &[
            "solve --other hidden-tic-tac-toe",
            "solve --other hidden-tic-tac-toe --board X.O/.X./..O",
        ],
    },
    Lesson {
        name: "expectiminimax",
        section: "6.5",
        english: "Expectiminimax. Chance is a third player, whose nodes are worth the mean of what follows.",
        spanish: "Expectiminimax. El azar es un tercer jugador, cuyos nodos valen la media de lo que sigue.",
        commands: &[
            "tree --example dice",
            "solve --game race --fields 3,4,1,2 --throw 1",
            "compare --game race --fields 3,4,1,2 --throw 1 --depth 5",
        ],
    },
    Lesson {
        name: "scale",
        section: "6.5",
        english: "The scale of an evaluation. Minimax only compares, so any order-preserving change leaves its choice alone. With chance only a positive linear transformation does.",
        spanish: "La escala de una evaluación. Minimax solo compara, así que todo cambio que conserve el orden respeta su elección. Con azar solo la respeta una transformación lineal positiva.",
        commands: &[],
    },
    Lesson {
        name: "chance",
        section: "6.5",
        english: "Chance multiplies the tree. Backgammon has n = 21 different throws and about b = 20 moves for each: every move multiplies the tree by 420. Star1 and Star2 cut at chance nodes. The probes of Star2 spare more leaves, but it evaluates others twice.",
        spanish: "El azar multiplica el árbol. El backgammon tiene n = 21 tiradas distintas y unas b = 20 jugadas por tirada: cada jugada multiplica el árbol por 420. Star1 y Star2 podan en los nodos de azar. Los sondeos de Star2 ahorran más hojas, pero Star2 evalúa algunas dos veces.",
        commands: &[],
    },
    Lesson {
        name: "size",
        section: "búsqueda, tema 4, 6.4",
        english: "The size of trees. No computer reaches the end of chess: about 35 moves in each of 100 plies, or 30 by another count.",
        spanish: "El tamaño de los árboles. Ningún ordenador llega al final del ajedrez: unas 35 jugadas en cada uno de 100 plies, o 30 según otra cuenta.",
        commands: &[],
    },
    Lesson {
        name: "matrix",
        section: "5, 6",
        english: "Games played at once. Maximin is what the first player makes sure of, minimax what the other can hold it to; mixed strategies close the gap. In a Nash equilibrium nobody gains by changing alone, whether the sum is zero or not. In the table it is a pair of moves, or p = (..), the shares with which the two play move 1. An evolutionarily stable strategy (ESS) resists every rare mutant.",
        spanish: "Juegos simultáneos. Maximin es lo que el primer jugador se asegura, minimax aquello a lo que el otro puede limitarlo; las estrategias mixtas cierran la diferencia. En un equilibrio de Nash nadie gana cambiando solo, sea o no de suma cero. En la tabla es un par de jugadas, o p = (..), las partes con que los dos juegan la jugada 1. Una estrategia evolutivamente estable (EEE) resiste a todo mutante raro.",
        commands: &[],
    },
    Lesson {
        name: "dilemma",
        section: "6",
        english: "The prisoner's dilemma, repeated: 3 for both who cooperate, 1 for both who defect, 5 and 0 if only one does. With --noise 0.05 a Tit for Tat that forgives gets far more against its own kind than one that does not.",
        spanish: "El dilema del prisionero, repetido: 3 para los dos si cooperan, 1 si delatan, 5 y 0 si solo lo hace uno. Con --noise 0.05, un Tit for Tat que perdona gana contra los suyos mucho más que uno que no perdona.",
        commands: &[],
    },
];
