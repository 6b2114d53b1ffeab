# frozen_string_literal: true

# Stands in for the library of that name: of all games only those named in WANTED are loaded.
module Kernel
  def require_rel(*paths)
    caller_folder = File.dirname(caller_locations(1, 1).first.path)
    paths.each do |path|
      folder = File.expand_path(path, caller_folder)
      folder.end_with?('/engine/game') ? require_wanted(folder) : Dir["#{folder}/**/*.rb"].sort.each { |file| require file }
    end
  end

  def require_wanted(folder)
    require "#{folder}/base"
    WANTED.each { |name| Dir["#{folder}/#{name}/**/*.rb"].sort.each { |file| require file } }
  end
end
