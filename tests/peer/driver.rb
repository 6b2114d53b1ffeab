# frozen_string_literal: true

# Plays games in the engine of a checkout of 18xx.games: its folder, then the folders of the games wanted. One JSON command a line comes in, one JSON answer goes out:
#   {"begin": FILE, "flags": FLAGS} a new game by the file's title, players and settings, without its actions
#   {"take": ACTIONS} takes them one after the other, as a player's own moves, and gives the position: every rule is looked at
#   {"load": FILE}    the whole file, as the site loads it; `seconds` is how long that keeps the processor busy
# Every answer has `error` (null if all went well), `taken` (how many actions), and who is asked for what.
# A game may take LIMIT seconds: on some boards its search for what a company reaches would take hours.
# Nothing of that project is here; what it gives is said in the words of Signalbox's traces.

LIMIT = 60
WANTED = ARGV.drop(1).freeze

# Whatever the engine prints goes to standard error; answers alone go out.
ANSWERS = $stdout.dup
ANSWERS.sync = true
$stdout.reopen($stderr)
$LOAD_PATH.unshift(File.join(__dir__, 'load'), File.join(ARGV.fetch(0), 'lib'))
require 'json'
require 'timeout'
require 'engine'
LOGGER.level = Logger::FATAL

# The position of a game in the words of the traces.
class Position
  def initialize(game, flags)
    @game = game
    @flags = flags
  end

  def to_h
    depot = @game.depot
    {
      round: round, phase: @game.phase.name, bank: @game.bank.cash, bank_broken: @game.bank.broken?, finished: @game.finished,
      end_reason: @game.finished ? @game.game_end_reason : nil, loans_left: @game.loans.size, cert_limit: cert_limit,
      player_order: @game.players.map { |player| player.id.to_s },
      players: @game.players.to_h { |player| [player.id.to_s, player_of(player)] },
      corps: @game.corporations.reject(&:closed?).to_h { |corporation| [corporation.id, corporation_of(corporation)] },
      companies: @game.companies.to_h { |company| [company.sym, company_of(company)] },
      market: market, board: board, reservations: reservations,
      depot: { upcoming: upcoming(depot), discarded: depot.discarded.map(&:name) }, flags: flags
    }
  end

  private

  def round
    now = @game.round
    step = now.active_step
    operator = now.operating? ? now.current_operator : nil
    { name: now.class.name.split('::').last, turn: @game.turn, num: now.round_num, step: step&.type,
      entity: id_of(now.current_entity), operator: id_of(operator), active: now.active_entities.compact.map { |one| id_of(one) } }
  end

  def id_of(entity)
    entity&.id&.to_s
  end

  def cert_limit
    @game.cert_limit.is_a?(Hash) ? nil : @game.cert_limit
  end

  def player_of(player)
    { cash: player.cash, certs: @game.num_certs(player), value: @game.player_value(player),
      debt: player.respond_to?(:debt) ? player.debt : 0,
      shares: shares_of(player), companies: player.companies.map(&:sym) }
  end

  def shares_of(holder)
    @game.corporations.to_h { |corporation| [corporation.id, holder.percent_of(corporation)] }.reject { |_, held| held.zero? }
  end

  def corporation_of(corporation)
    price = corporation.share_price
    ipo = corporation.ipo_owner
    {
      cash: corporation.cash, type: corporation.type.to_s, owner: owner_of(corporation), ipoed: !!corporation.ipoed,
      floated: !!corporation.floated?, operated: corporation.operated?, loans: corporation.loans.size,
      receivership: !!corporation.receivership?, price: price && [price.price, *price.coordinates],
      par: corporation.par_price&.price, ipo: ipo.percent_of(corporation), pool: @game.share_pool.percent_of(corporation),
      trains: corporation.trains.map(&:name), train_ids: corporation.trains.map(&:id),
      tokens: corporation.tokens.select(&:used).map { |token| place_of(token) },
      tokens_left: corporation.tokens.reject(&:used).map(&:price), companies: corporation.companies.map(&:sym)
    }
  end

  def owner_of(corporation)
    owner = corporation.owner
    owner.nil? || owner == corporation ? nil : (owner.player? ? owner.id.to_s : 'pool')
  end

  def place_of(token)
    "#{token.city.hex.id}:#{token.city.index}:0"
  end

  def company_of(company)
    { owner: owner_name(company.owner), value: company.value, closed: company.closed? }
  end

  def owner_name(owner)
    return nil if owner.nil?

    owner == @game.bank ? 'bank' : owner.id.to_s
  end

  def market
    @game.stock_market.market.flatten.compact.reject { |cell| cell.corporations.empty? }
         .to_h { |cell| [cell.coordinates.join(','), cell.corporations.map(&:id)] }
  end

  def board
    @game.hexes.reject { |hex| hex.tile.equal?(hex.original_tile) }.to_h { |hex| [hex.id, [hex.tile.name, hex.tile.rotation]] }
  end

  def reservations
    found = @game.hexes.to_h do |hex|
      cities = hex.tile.cities.each_with_index.to_h { |city, index| [index.to_s, city.reservations.compact.map { |one| id_of(one) }] }
      whole = hex.tile.reservations.compact.map { |one| id_of(one) }
      [hex.id, cities.reject { |_, kept| kept.empty? }.merge(whole.empty? ? {} : { 'hex' => whole })]
    end
    found.reject { |_, kept| kept.empty? }
  end

  def upcoming(depot)
    depot.upcoming.chunk_while { |one, next_one| one.sym == next_one.sym }
         .map { |trains| [trains.first.sym, trains.any?(&:unlimited) ? 'inf' : trains.size] }
  end

  # What the engine keeps for one title: by name where to find it, in its memory (@) or by a method; of companies the ids.
  def flags
    @flags.transform_values do |place|
      found = place.start_with?('@') ? @game.instance_variable_get(place) : @game.public_send(place)
      found.is_a?(Array) ? found.map(&:id).sort : found
    end
  end
end

# A game that is played here, and the answers to commands about it.
class Table
  def answer(command)
    @flags = command['flags'] || {} if command['begin'] || command['load']
    return start(command['begin']) if command['begin']
    return load(command['load']) if command['load']

    take(command['take']).merge(position: Position.new(@game, @flags).to_h)
  end

  private

  def start(file)
    @game = Engine::Game.load(file.merge('actions' => []))
    said(0)
  end

  def load(file)
    GC.start
    began = busy
    @game = Engine::Game.load(file)
    seconds = busy - began
    said(@game.actions.size).merge(result: @game.finished ? @game.result : nil, position: Position.new(@game, @flags).to_h, seconds: seconds)
  end

  def busy
    Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
  end

  def take(actions)
    taken = 0
    revenue = nil
    actions.each do |action|
      done = @game.process_action(action)
      break if @game.exception || done.broken_action

      revenue = @game.actions.last.routes.sum(&:revenue) if action['type'] == 'run_routes'
      taken += 1
    end
    said(taken).merge(revenue: revenue)
  end

  def said(taken)
    step = @game.round.active_step
    entity = step&.current_entity
    { error: @game.exception&.message, taken: taken, finished: @game.finished, step: step&.type, entity: entity&.id&.to_s,
      asked: entity ? step.actions(entity) : [] }
  end
end

def now
  Process.clock_gettime(Process::CLOCK_MONOTONIC)
end

table = Table.new
left = LIMIT
while (line = $stdin.gets)
  command = JSON.parse(line)
  left = LIMIT if command['begin']
  began = now
  reply =
    begin
      Timeout.timeout([left, 0.1].max) { table.answer(command) }
    rescue StandardError, ScriptError, SystemStackError => e
      { error: "#{e.class}: #{e.message} (#{e.backtrace.first})", taken: 0 }
    end
  left -= now - began
  ANSWERS.puts JSON.generate(reply)
end
